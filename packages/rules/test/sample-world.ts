import type { ClientBase, Pool } from 'pg';
import { dayOf, momentText, nextMidnight } from '../src/calendar.ts';
import type { Catalog, FactKind, FactRow, Field, PlayerView, SqlSource, SqlWriter, Value } from '../src/index.ts';

/*
 * A small world with every kind of field, for the test that compares both implementations of rules: tables for
 * PostgreSQL, and the same players in memory. `trait.bets_...` is a window over buckets, like the platform's traits:
 * hours of UTC, days of the brand.
 */
export interface SamplePlayer {
  player_id: number;
  amount: string | null;
  country: string | null;
  seen_at: number | null;
  birth_date: string | null;
  email: 'true' | 'false' | 'unknown';
  vip: boolean;
  roles: readonly string[] | null;
  /** Bets per UTC hour; the hour is given by its first moment. */
  bets: readonly { hour: number; count: number }[];
  rounds: readonly SampleRound[];
}

export interface SampleRound extends FactRow {
  at: number;
  vendor: string | null;
  win: string | null;
  is_live: boolean;
}

const hour = 3_600_000_000;

const roundFields: readonly Field[] = [
  { name: 'vendor', kind: 'text', title: 'the vendor' },
  { name: 'win', kind: 'number', title: 'the win', unit: 'EUR' },
  { name: 'is_live', kind: 'flag', title: 'live' },
  { name: 'at', kind: 'moment', title: 'the moment' },
];

const fields: readonly Field[] = [
  { name: 'trait.amount', kind: 'number', title: 'the amount', unit: 'EUR' },
  { name: 'trait.bets_3h', kind: 'number', title: 'bets in the last 3 hours' },
  { name: 'trait.bets_7d', kind: 'number', title: 'bets in the last 7 days' },
  { name: 'trait.bets_prev_7d', kind: 'number', title: 'bets in the 7 days before the last 7' },
  { name: 'trait.seen_at', kind: 'moment', title: 'the last visit' },
  { name: 'profile.country', kind: 'text', title: 'the country' },
  { name: 'profile.birth_date', kind: 'date', title: 'the birth date' },
  { name: 'profile.roles', kind: 'list', title: 'the roles' },
  { name: 'consent.Email', kind: 'status', title: 'the consent to e-mail' },
  { name: 'tag.vip', kind: 'flag', title: 'the tag vip' },
];

const round: FactKind = { name: 'round', title: 'rounds', fields: roundFields };

export const catalog: Catalog = {
  field: (name) => fields.find((field) => field.name === name),
  fact: (name) => (name === 'round' ? round : undefined),
};
export const allFields = fields;
export const allRoundFields = roundFields;

export async function createTables(client: Pool | ClientBase): Promise<void> {
  await client.query(`
    create table sample_player (player_id bigint primary key, amount numeric, country text, seen_at timestamptz, birth_date date,
                                email text not null, vip boolean not null, roles text[]);
    create table sample_bet (player_id bigint not null, hour timestamptz not null, count int not null);
    create table sample_round (player_id bigint not null, at timestamptz not null, vendor text, win numeric, is_live boolean not null)`);
}

export async function insertPlayers(client: Pool | ClientBase, players: readonly SamplePlayer[]): Promise<void> {
  const stored = players.map((player) => ({
    ...player,
    seen_at: player.seen_at === null ? null : momentText(player.seen_at),
    bets: player.bets.map(({ hour: at, count }) => ({ hour: momentText(at), count })),
    rounds: player.rounds.map((one) => ({ ...one, at: momentText(one.at) })),
  }));
  const rows = JSON.stringify(stored);
  await client.query(
    `insert into sample_player select player_id, amount, country, seen_at, birth_date, email, vip, roles
       from jsonb_to_recordset($1::jsonb) r (player_id bigint, amount numeric, country text, seen_at timestamptz, birth_date date, email text, vip boolean, roles text[])`,
    [rows],
  );
  await client.query(
    `insert into sample_bet select r.player_id, b.hour, b.count from jsonb_to_recordset($1::jsonb) r (player_id bigint, bets jsonb),
       jsonb_to_recordset(r.bets) b (hour timestamptz, count int)`,
    [rows],
  );
  await client.query(
    `insert into sample_round select r.player_id, b.at, b.vendor, b.win, b.is_live from jsonb_to_recordset($1::jsonb) r (player_id bigint, rounds jsonb),
       jsonb_to_recordset(r.rounds) b (at timestamptz, vendor text, win numeric, is_live boolean)`,
    [rows],
  );
}

const columns: Readonly<Record<string, string>> = {
  'trait.amount': 's.amount',
  'trait.seen_at': 's.seen_at',
  'profile.country': 's.country',
  'profile.birth_date': 's.birth_date',
  'profile.roles': 's.roles',
  'consent.Email': 's.email',
  'tag.vip': 's.vip',
};

/** Joins the bets in a window to the statement. @returns their alias; it has rows only for players who have such bets */
function betsOf(name: string, writer: SqlWriter): string {
  return writer.join(name, () => {
    const today = () => writer.today();
    const day = () => `(hour at time zone ${writer.parameter(writer.reading.zone, 'text')})::date`;
    const where = {
      'trait.bets_3h': () =>
        `hour > date_trunc('hour', ${writer.now()}, 'UTC') - interval '3 hours' and hour <= ${writer.now()}`,
      'trait.bets_7d': () => `${day()} > ${today()} - 7 and ${day()} <= ${today()}`,
      'trait.bets_prev_7d': () => `${day()} > ${today()} - 14 and ${day()} <= ${today()} - 7`,
    }[name];
    if (where === undefined) throw new Error(`unknown field ${name}`);
    return `(select player_id, sum(count)::numeric as n from sample_bet where ${where()} group by 1)`;
  });
}

export const source: SqlSource = {
  field: (name, writer) => {
    const column = columns[name];
    return column === undefined ? `coalesce(${betsOf(name, writer)}.n, 0)` : column.replace('s.', 'p.');
  },
  rowless: (name, writer) => (name in columns ? undefined : { alias: betsOf(name, writer), value: 0 }),
  changesAfter: (name, writer) => {
    if (!name.startsWith('trait.bets_')) return undefined;
    const { at, zone } = writer.reading;
    return writer.moment(name === 'trait.bets_3h' ? Math.floor(at / hour) * hour + hour : nextMidnight(zone, at));
  },
  facts: () => ({ from: 'sample_round r', playerId: 'r.player_id', at: 'r.at', field: (name) => `r.${name}` }),
};

export function viewOf(player: SamplePlayer, zone: string): PlayerView {
  const sum = (counts: (bet: { hour: number }) => boolean) =>
    player.bets.filter(counts).reduce((all, { count }) => all + count, 0);
  const daysBefore = (bet: { hour: number }, at: number) =>
    (Date.parse(dayOf(zone, at)) - Date.parse(dayOf(zone, bet.hour))) / 86_400_000;
  const values: Record<string, (at: number) => Value> = {
    'trait.amount': () => player.amount,
    'trait.bets_3h': (at) => sum((bet) => bet.hour > Math.floor(at / hour) * hour - 3 * hour && bet.hour <= at),
    'trait.bets_7d': (at) => sum((bet) => daysBefore(bet, at) >= 0 && daysBefore(bet, at) < 7),
    'trait.bets_prev_7d': (at) => sum((bet) => daysBefore(bet, at) >= 7 && daysBefore(bet, at) < 14),
    'trait.seen_at': () => player.seen_at,
    'profile.country': () => player.country,
    'profile.birth_date': () => player.birth_date,
    'profile.roles': () => player.roles,
    'consent.Email': () => player.email,
    'tag.vip': () => player.vip,
  };
  return {
    value: (field, at) => values[field]?.(at) ?? null,
    changesAfter: (field, at) => {
      const last = Math.max(...player.bets.map((bet) => bet.hour)) + 15 * 24 * hour;
      if (!field.startsWith('trait.bets_') || at > last) return undefined;
      return field === 'trait.bets_3h' ? Math.floor(at / hour) * hour + hour : nextMidnight(zone, at);
    },
    facts: () => player.rounds,
  };
}
