import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { longEndOf } from '../sessions/index.ts';
import type { Lookup } from './decide.ts';
import { decode, encode } from './encode.ts';
import { roundGap } from './message.ts';
import type { HeldRound, RoundFact, RoundState } from './round.ts';

/** What to load: the rounds of a key that are within 72 h of a stretch of time, and all rounds under lookups. */
export interface Wanted {
  keys: readonly { player_id: number; round_key: number; from: Micros; until: Micros }[];
  lookups: readonly Omit<Lookup, 'round_key'>[];
}

type Row = HeldRound['state'] & {
  player_id: number;
  round_key: number;
  vendor_id: string;
  game_id: string;
  round_id: string;
  events: string;
};

/** The rounds that a batch may change, by player: one statement, whatever the size of the batch. */
export async function loadRounds(tx: ClientBase, wanted: Wanted): Promise<Map<number, HeldRound[]>> {
  const { keys, lookups } = wanted;
  // `offset 0` keeps the planner from joining whole tables: each key is a few steps in the index of `round`.
  const { rows } = await tx.query<Row>({
    name: 'load_rounds',
    text: `select r.* from (
             select player_id, round_key, since, until
             from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::timestamptz[])
               as k(player_id, round_key, since, until)
             union all
             select l.player_id, a.round_key, '-infinity', 'infinity'
             from unnest($5::bigint[], $6::bigint[]) as l(player_id, lookup)
             cross join lateral (
               select round_key from casino_activity
               where player_id = l.player_id and lookup = l.lookup offset 0
             ) a
           ) k
           cross join lateral (
             select player_id, round_key, first_at, last_at, day, played, counted, bet_count, bet_sum, win_sum,
                    vendor_id, game_id, round_id, events
             from round
             where player_id = k.player_id and round_key = k.round_key
               and coalesce(held_from, first_at) <= k.until and coalesce(held_to, last_at) >= k.since
             offset 0
           ) r`,
    values: [
      keys.map((key) => key.player_id),
      keys.map((key) => key.round_key),
      keys.map((key) => key.from - roundGap),
      keys.map((key) => key.until + roundGap),
      lookups.map((lookup) => lookup.player_id),
      lookups.map((lookup) => lookup.lookup),
    ],
  });
  const loaded = new Map<number, HeldRound[]>();
  const seen = new Set<string>();
  for (const row of rows) {
    // A repeat finds its round twice: by the round's key and by its own lookup.
    const name = `${row.player_id}:${row.round_key}:${row.first_at}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const own = loaded.get(row.player_id);
    if (own === undefined) loaded.set(row.player_id, [heldRound(row)]);
    else own.push(heldRound(row));
  }
  return loaded;
}

function heldRound({ player_id, round_key, vendor_id, game_id, round_id, events, ...state }: Row): HeldRound {
  return { round: { player_id, round_key, vendor_id, game_id, round_id, ...decode(events, state) }, state };
}

export async function deleteRounds(tx: ClientBase, rounds: readonly HeldRound[]): Promise<void> {
  await tx.query({
    name: 'delete_rounds',
    text: `delete from round r using unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as k(player_id, round_key, first_at)
           where r.player_id = k.player_id and r.round_key = k.round_key and r.first_at = k.first_at`,
    values: [
      rounds.map(({ round }) => round.player_id),
      rounds.map(({ round }) => round.round_key),
      rounds.map(({ state }) => state.first_at),
    ],
  });
}

interface Column {
  name: string;
  type: string;
  value(fact: RoundFact): unknown;
}

const ofState = (name: keyof RoundState, type: string): Column => ({ name, type, value: ({ state }) => state[name] });
const ofRound = (name: 'vendor_id' | 'game_id' | 'round_id' | 'player_id' | 'round_key', type: string): Column => ({
  name,
  type,
  value: ({ round }) => round[name],
});
const moment = (name: string, value: (state: RoundState) => Micros | null): Column => ({
  name,
  type: 'timestamptz',
  value: ({ state }) => value(state),
});

const key: readonly Column[] = [
  ofRound('player_id', 'bigint'),
  ofRound('round_key', 'bigint'),
  moment('first_at', (state) => state.first_at),
];
const changing: readonly Column[] = [
  moment('last_at', (state) => state.last_at),
  moment('long_end_at', longEndOf),
  moment('held_from', ({ held_from, first_at }) => (held_from === first_at ? null : held_from)),
  moment('held_to', ({ held_to, last_at }) => (held_to === last_at ? null : held_to)),
  ofState('bet_count', 'int'),
  ofState('win_count', 'int'),
  ofState('conflicts', 'smallint'),
  ofState('orphans', 'smallint'),
  ofState('from_casino', 'boolean'),
  ofState('from_gameround', 'boolean'),
  ofState('played', 'boolean'),
  ofState('counted', 'boolean'),
  ofState('closed', 'boolean'),
  ofState('unpriced', 'boolean'),
  ofState('usual', 'boolean'),
  moment('far_to', ({ far_to }) => far_to),
  ofState('bet_sum', 'numeric'),
  ofState('win_sum', 'numeric'),
  { name: 'events', type: 'text', value: ({ round, state }) => encode(round, state) },
];
const fixed: readonly Column[] = [
  ofState('day', 'date'),
  ofRound('vendor_id', 'text'),
  ofRound('game_id', 'text'),
  ofRound('round_id', 'text'),
];
const columns = [...key, ...changing, ...fixed];
const names = columns.map(({ name }) => name).join(', ');
const saveStatement = `
  insert into round as r (${names})
  select * from unnest(${columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ')})
  on conflict (player_id, round_key, first_at) do update set
    ${changing.map(({ name }) => `${name} = excluded.${name}`).join(', ')}`;

export async function saveRounds(tx: ClientBase, rounds: readonly RoundFact[]): Promise<void> {
  const values = columns.map(({ value }) => rounds.map(value));
  await tx.query({ name: 'save_rounds', text: saveStatement, values });
}

export async function addLookups(tx: ClientBase, lookups: readonly Lookup[]): Promise<void> {
  await tx.query({
    name: 'add_casino_lookups',
    text: `insert into casino_activity (player_id, lookup, round_key)
           select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) on conflict do nothing`,
    values: valuesOf(lookups),
  });
}

export async function deleteLookups(tx: ClientBase, lookups: readonly Lookup[]): Promise<void> {
  await tx.query({
    name: 'delete_casino_lookups',
    text: `delete from casino_activity a
           using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as k(player_id, lookup, round_key)
           where a.player_id = k.player_id and a.lookup = k.lookup and a.round_key = k.round_key`,
    values: valuesOf(lookups),
  });
}

function valuesOf(lookups: readonly Lookup[]) {
  return [lookups.map((l) => l.player_id), lookups.map((l) => l.lookup), lookups.map((l) => l.round_key)];
}
