import { dayOf } from '@croupier/contracts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { history, type PlainMoment, plainSports } from '../../../../testing/derive/families/sports/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { plainFavorite } from '../../../../testing/derive/totals/plain-favorite.ts';
import { readLedgerEvent } from '../../read.ts';
import { differencesOf } from '../../rebuild/compare.ts';
import { Shadow } from '../../rebuild/shadow.ts';
import { stateHashes } from '../../state-hash.ts';
import { readFavorites } from '../../totals/index.ts';
import { listBets, sportsTotals } from './index.ts';

const stage = await setupStage({ brand: { time_zone: 'Europe/Malta' } });
const { pool, clock, ledger } = stage;
// All histories of plain.ts fall in the 24 hours before this time.
clock.set(Date.UTC(2026, 3, 30, 8) * 1000);
const shadow = await Shadow.open(pool, 1);
afterAll(() => shadow.close());

test('P3: in the database, any order and batching gives the bets and totals of the plain implementation, and the state hashes of a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      async ([bodies, batches]) => {
        const { brand } = await createBrand(pool, { time_zone: 'Europe/Malta' });
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => ({ kind: 'sports' as const, body: { ...body }, brand })));
          await stage.derive();
        }
        const plain = plainSports(brand.brand_id, bodies);
        const ids: number[] = [];
        for (const [user, { bets, moments }] of plain) {
          const player_id = await stage.playerId(user, brand);
          ids.push(player_id);
          const listed = await listBets(pool, player_id, {}, 100);
          expect(listed.map(({ bet_id, state }) => `${bet_id} ${state}`).sort()).toEqual(
            bets.map(({ bet_id, state }) => `${bet_id} ${state}`).sort(),
          );
          await expectTotals(player_id, moments);
        }
        // The same events in the order of the ledger, as one batch: what a rebuild does.
        for await (const page of ledger.history({ brand_id: brand.brand_id })) {
          const events = page.flatMap((event) => {
            const reading = readLedgerEvent(event, brand);
            return reading.ok ? [reading.readable] : [];
          });
          expect(await shadow.apply(events, clock.now())).toEqual([]);
        }
        const live = await stateHashes(pool, ids, clock.now());
        expect(differencesOf(ids, live, await stateHashes(pool, ids, clock.now(), shadow.schema))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

/** Compares lifetime and one day of each sport, including extremes. */
async function expectTotals(player_id: number, moments: readonly PlainMoment[]): Promise<void> {
  const day = '2026-04-30';
  const ofDay = moments.filter(({ at }) => dayOf('Europe/Malta', at) === day);
  const { rows: total } = await pool.query('select * from live.sports_total where player_id = $1', [player_id]);
  const { rows: byDay } = await pool.query('select * from live.sports_day where player_id = $1 and day = $2', [
    player_id,
    day,
  ]);
  expect(present(total)).toEqual(expected(moments, true));
  expect(present(byDay)).toEqual(expected(ofDay, false));
  expect(await favorites(player_id)).toEqual([plainFavorite(moments.map(stakeOf)), plainFavorite(ofDay.map(stakeOf))]);
}

/** The favorite sport, for the lifetime and for today. */
async function favorites(player_id: number): Promise<(string | undefined)[]> {
  const ties = ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum'];
  const ranking = { name: 'sport', group: ['sports_name'], most: 'bet_count', ties };
  const player = { player_id, time_zone: 'Europe/Malta' };
  const today = { unit: 'days', count: 1 } as const;
  const groups = await readFavorites(pool, sportsTotals.spec, [ranking], player, clock.now(), [today]);
  return ['sport lifetime', 'sport today'].map((key) => groups.get(key)?.sports_name);
}

function stakeOf({ sport: group, counts, sums }: PlainMoment) {
  const { real_bet_sum = 0n, bonus_bet_sum = 0n } = sums;
  return { group, bets: counts.bet_count ?? 0, stake: real_bet_sum + bonus_bet_sum };
}

function present(rows: Record<string, unknown>[]): Record<string, Record<string, string>> {
  return Object.fromEntries(
    rows.map(({ player_id: _, day: __, sports_name, ...columns }) => [
      String(sports_name),
      Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, String(value)])),
    ]),
  );
}

function expected(moments: readonly PlainMoment[], lifetime: boolean): Record<string, Record<string, string>> {
  const says = moments.filter(({ counts }) => Object.values(counts).some((count) => count !== 0));
  return Object.fromEntries(
    [...Map.groupBy(says, ({ sport }) => sport)].map(([sport, own]) => [sport, totalOf(own, lifetime)]),
  );
}

function totalOf(says: readonly PlainMoment[], lifetime: boolean): Record<string, string> {
  const sum = (of: (moment: PlainMoment) => bigint) => says.reduce((total, moment) => total + of(moment), 0n);
  const counts = ['bet_count', 'win_count', 'settled_count', 'cashout_count', 'free_bet_count', 'live_bet_count'];
  const sums = ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum', 'real_win_sum', 'bonus_win_sum', 'locked_win_sum'];
  const [bets, wins] = [says.filter(({ counts: c }) => c.bet_count), says.filter(({ counts: c }) => c.win_count)];
  const columns: [string, string][] = [
    ...counts.map((name): [string, string] => [name, String(sum((m) => BigInt(m.counts[name] ?? 0)))]),
    ...sums.map((name): [string, string] => [name, decimal(sum((m) => m.sums[name] ?? 0n))]),
    ['bet_biggest', largest(bets)],
    ['win_biggest', largest(wins)],
  ];
  if (lifetime) columns.push(...dates('bet', bets), ...dates('win', wins));
  return Object.fromEntries(columns);
}

function largest(moments: readonly PlainMoment[]): string {
  const baseValues = moments.map(({ sums }) => Object.values(sums).reduce((sum, part) => sum + part, 0n));
  const [biggest] = baseValues.sort((a, b) => Number(b - a));
  return biggest === undefined ? 'null' : decimal(biggest);
}

function dates(name: string, moments: readonly PlainMoment[]): [string, string][] {
  const times = moments.map(({ at }) => at);
  const [first, last] = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
  return [
    [`${name}_first_at`, String(first)],
    [`${name}_last_at`, String(last)],
  ];
}

/** Millionths as decimal text. */
function decimal(millionths: bigint): string {
  const text = String(millionths).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}

const body = (fields: Record<string, unknown> & { user_id: string }) => ({
  activity_id: 'b',
  type: 'Bet',
  bet_type: 'Single',
  bets: [],
  amount: 10,
  currency: 'EUR',
  exchange_rate: 1,
  origin: 'www.example.com',
  timestamp: '2026-04-30T06:00:00Z',
  ...fields,
});

test('a rolled-back biggest win is replaced by the next one, in a later batch', async () => {
  const settlement = (activity_id: string, amount: number, status = 'Approved') => ({
    kind: 'sports' as const,
    body: body({ user_id: 'big', activity_id, activity_id_reference: 'b', type: 'Settlement', amount, status }),
  });
  await stage.publish({ kind: 'sports', body: body({ user_id: 'big' }) }, settlement('s', 50), settlement('t', 20));
  await stage.derive();
  const player_id = await stage.playerId('big');
  const biggest = async () => {
    const { rows } = await pool.query('select win_biggest, win_count from live.sports_total where player_id = $1', [
      player_id,
    ]);
    return rows[0];
  };
  expect(await biggest()).toEqual({ win_biggest: '50', win_count: 2 });
  await stage.publish(settlement('s', 50, 'Rollback'));
  await stage.derive();
  expect(await biggest()).toEqual({ win_biggest: '20', win_count: 1 });
  await stage.publish({ kind: 'sports', body: body({ user_id: 'big', status: 'Rollback' }) });
  await stage.derive();
  expect(await biggest()).toBeUndefined();
});

test('malformed and contradictory events do not stop a batch: what can be applied is applied', async () => {
  const selections = Array.from({ length: 3_000 }, () => ({ odds: '1.123456789', match_start: 'soon' }));
  await stage.publish(
    { kind: 'sports', body: body({ user_id: 'odd', activity_id: 'none', bets: [] }) },
    { kind: 'sports', body: body({ user_id: 'odd', activity_id: 'many', bet_type: 'Combo', bets: selections }) },
    {
      kind: 'sports',
      body: body({ user_id: 'odd', activity_id: 'self', type: 'Settlement', activity_id_reference: 'self' }),
    },
    {
      kind: 'sports',
      body: body({ user_id: 'odd', activity_id: 'other', type: 'Settlement', activity_id_reference: 'self' }),
    },
    { kind: 'sports', body: body({ user_id: 'odd', activity_id: 'void', status: 'Rollback', amount: 1 }) },
    {
      kind: 'sports',
      body: body({
        user_id: 'odd',
        activity_id: 'huge',
        amount: '999999999999999999.99',
        currency: 'XQX',
        exchange_rate: '999999999999999999.9',
      }),
    },
  );
  await stage.derive();
  const player_id = await stage.playerId('odd');
  const bets = await listBets(pool, player_id, {}, 10);
  expect(bets.map(({ bet_id, state, orphans }) => [bet_id, state, orphans]).sort()).toEqual([
    ['huge', 'open', 0],
    ['many', 'open', 0],
    ['none', 'open', 0],
    ['self', 'orphan', 2],
    ['void', 'orphan', 1],
  ]);
  const many = bets.find(({ bet_id }) => bet_id === 'many');
  expect([many?.odds, many?.details?.selections.length, many?.details?.selections[0]?.match_start]).toEqual([
    null,
    3_000,
    'soon',
  ]);
  const { rows } = await pool.query('select 1 from parked_event');
  expect(rows).toEqual([]);
});

test('bets are listed newest first, page by page, with filters', async () => {
  const at = (hour: number) => ({ timestamp: `2026-04-30T0${hour}:00:00Z` });
  const of = (fields: Record<string, unknown>) => ({
    kind: 'sports' as const,
    body: body({ user_id: 'list', ...fields }),
  });
  await stage.publish(
    of({ activity_id: 'live', bets: [{ is_live: true, odds: 2 }], meta: { slip: 7 }, ...at(1) }),
    of({ activity_id: 'free', bets: [{ is_free_bet: true, is_risk_free_bet: true }], ...at(2) }),
    of({
      activity_id: 'c',
      activity_id_reference: 'free',
      type: 'Settlement',
      is_cashout: true,
      amount: 4,
      outcomes: ['x'],
      ...at(3),
    }),
    of({ activity_id: 'lost', activity_id_reference: 'gone', type: 'Settlement', ...at(4) }),
    of({ activity_id: 'two', amount: 1, ...at(5) }),
    of({ activity_id: 'two', amount: 2, ...at(6) }),
  );
  await stage.derive();
  const player_id = await stage.playerId('list');
  const ids = async (filter: Parameters<typeof listBets>[2]) =>
    (await listBets(pool, player_id, filter, 10)).map(({ bet_id }) => bet_id);
  expect(await ids({})).toEqual(['two', 'gone', 'free', 'live']);
  expect(await ids({ live: true })).toEqual(['live']);
  expect(await ids({ free: true })).toEqual(['free']);
  expect(await ids({ orphan: true })).toEqual(['gone']);
  expect(await ids({ conflicting: true })).toEqual(['two']);
  expect(await ids({ state: 'cashed_out' })).toEqual(['free']);
  expect(await ids({ bet_id: 'live' })).toEqual(['live']);
  expect(await ids({ from: Date.UTC(2026, 3, 30, 2) * 1000, to: Date.UTC(2026, 3, 30, 4) * 1000 })).toEqual([
    'gone',
    'free',
  ]);
  const first = await listBets(pool, player_id, {}, 3);
  expect((await listBets(pool, player_id, {}, 3, first.at(-1)?.token)).map(({ bet_id }) => bet_id)).toEqual(['live']);
  expect(first[2]).toMatchObject({
    bet_id: 'free',
    free: true,
    risk_free: true,
    live: false,
    base_amount: '10',
    base_payout: '4',
    base_result: '-6',
    activities: [
      { type: 'Bet', in_force: true },
      { activity_id: 'c', cashout: true, amount: '4', outcomes: ['x'] },
    ],
  });
  await expect(listBets(pool, player_id, {}, 3, 'page-2')).rejects.toThrow(RangeError);
});
