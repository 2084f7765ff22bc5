import { dayOf } from '@croupier/contracts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { history, type RoundBody, settingsOfRounds } from '../../../../testing/derive/families/rounds/history.ts';
import { type PlainMoment, type PlainResult, plainRounds } from '../../../../testing/derive/families/rounds/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import type { Brand } from '../../../brands/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../../read.ts';
import { differencesOf } from '../../rebuild/compare.ts';
import { Shadow } from '../../rebuild/shadow.ts';
import { stateHashes } from '../../state-hash.ts';
import { casinoTotals, endlessRound, listRounds, readBiggestWin } from './index.ts';

const time_zone = 'Europe/Malta';
const stage = await setupStage({ brand: { time_zone } });
const { pool, clock, ledger } = stage;
// All histories fall in the ten days before this time.
clock.set(Date.UTC(2026, 3, 30, 12) * 1000);
const shadow = await Shadow.open(pool, 1);
afterAll(() => shadow.close());

test('in the database, any order and batching gives the rounds and totals of the plain implementation, and the state hashes of a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((bodies) =>
        fc.tuple(fc.constant(bodies), arrivalsOf(bodies), arrivalsOf(bodies), settingsOfRounds),
      ),
      async ([bodies, batches, otherBatches, settings]) => {
        const { brand } = await createBrand(pool, { time_zone, ...settings });
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => publicationOf(body, brand)));
          await stage.derive();
        }
        const player_id = await stage.playerId('u', brand);
        const plain = plainRounds(brand.brand_id, bodies.map(sentBody), brand.settings);
        await expectRounds(player_id, plain);
        await expectTotals(player_id, plain);
        await expectBiggestWin(player_id, plain);
        expect(await casinoTotals.rollup.differences(pool, brand.brand_id)).toEqual([]);
        await applyToShadow(brand, otherBatches);
        const live = await stateHashes(pool, [player_id], clock.now());
        const other = await stateHashes(pool, [player_id], clock.now(), shadow.schema);
        expect(differencesOf([player_id], live, other)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

function publicationOf(body: RoundBody, brand: Brand) {
  const { kind, ...fields } = sentBody(body);
  return { kind, body: fields, brand };
}

function sentBody<B extends RoundBody>(body: B): B & { user_id: string } {
  return { ...body, user_id: 'u' };
}

async function expectRounds(player_id: number, plain: PlainResult): Promise<void> {
  const listed = await listRounds(pool, { player_id, base_currency: 'EUR' }, {}, 1_000);
  const shown = listed.map((round) => {
    const { vendor_id, game_id, round_id, first_at, last_at, status, base, conflicts, orphans } = round;
    const ids = `${vendor_id} ${game_id} ${round_id}`;
    const sums = [base?.bet, base?.win].map((sum) => millionths(sum ?? '0'));
    return [ids, first_at, last_at, status, ...sums, conflicts, orphans].join(' | ');
  });
  const expected = plain.rounds.map((round) => {
    const { ids, first_at, last_at, bet_sum, win_sum, conflicts, orphans } = round;
    const status = !round.played ? 'unplayed' : !round.counted ? 'void' : round.closed ? 'closed' : 'open';
    return [ids, first_at, last_at, status, bet_sum, win_sum, conflicts, orphans].join(' | ');
  });
  expect(shown.sort()).toEqual(expected.sort());
}

type Row = Record<string, string | number | null>;

/** Compares every column of every row with the plain counts and moments of its period. */
async function expectTotals(player_id: number, { totals, moments }: PlainResult): Promise<void> {
  const young = clock.now() - 48 * 3_600_000_000;
  const hourOf = (at: number) => Math.floor(at / 3_600_000_000) * 3_600_000_000;
  const periods = [
    { table: 'casino_total', keys: ['vendor_id', 'game_id'], period: () => '', since: 0 },
    {
      table: 'casino_day',
      keys: ['day', 'vendor_id', 'game_id'],
      period: (at: number) => dayOf(time_zone, at),
      since: 0,
    },
    { table: 'casino_hour', keys: ['hour'], period: hourOf, since: young },
  ];
  for (const { table, keys, period, since } of periods) {
    const keyOf = (at: number, vendor_id: string, game_id: string) => {
      const fields: Record<string, string | number> = { day: period(at), hour: period(at), vendor_id, game_id };
      return keys.map((key) => fields[key]).join(' ');
    };
    const { rows } = await pool.query<Row>(`select * from live.${table} where player_id = $1`, [player_id]);
    const counted = rows.filter((row) => table !== 'casino_hour' || Number(row.hour) > since);
    const expected = new Map<string, bigint>();
    for (const [name, value] of totals) {
      const [column = '', vendor_id = '', game_id = '', at] = name.split(' ');
      if (hourOf(Number(at)) <= since) continue;
      const row = `${keyOf(Number(at), vendor_id, game_id)}: ${column}`;
      expected.set(row, (expected.get(row) ?? 0n) + value);
    }
    const columns = [...casinoTotals.spec.counts, ...casinoTotals.spec.sums];
    const held = counted.flatMap((row) =>
      columns.flatMap((column): [string, bigint][] => {
        const value = String(row[column]);
        const amount = column.endsWith('_count') ? BigInt(value) : millionths(value);
        return amount === 0n ? [] : [[`${keys.map((key) => row[key]).join(' ')}: ${column}`, amount]];
      }),
    );
    expect(held.sort()).toEqual([...expected].sort());
    for (const row of counted) {
      const own = moments.filter(({ at, vendor_id, game_id }) => {
        return keyOf(at, vendor_id, game_id) === keys.map((key) => row[key]).join(' ');
      });
      expectExtremes(row, own, table === 'casino_total');
    }
  }
}

function expectExtremes(row: Row, moments: readonly PlainMoment[], withDates: boolean): void {
  for (const word of ['bet', 'win'] as const) {
    const own = moments.filter((moment) => moment.word === word);
    const sizes = own.flatMap(({ size }) => size ?? []).sort((a, b) => (a < b ? -1 : 1));
    const held = row[`${word}_biggest`];
    expect(held === null ? null : millionths(String(held))).toBe(sizes.at(-1) ?? null);
    if (!withDates) continue;
    const dates = own.map(({ at }) => at);
    expect(row[`${word}_first_at`]).toBe(dates.length === 0 ? null : Math.min(...dates));
    expect(row[`${word}_last_at`]).toBe(dates.length === 0 ? null : Math.max(...dates));
  }
}

async function expectBiggestWin(player_id: number, { moments }: PlainResult): Promise<void> {
  const sized = moments.flatMap(({ word, size, ...moment }) =>
    word === 'win' && size !== null ? [{ ...moment, size }] : [],
  );
  const text = (moment: PlainMoment | (typeof sized)[number]) => `${moment.vendor_id} ${moment.game_id}`;
  const [biggest] = sized.sort((a, b) => {
    if (a.size !== b.size) return a.size > b.size ? -1 : 1;
    if (a.at !== b.at) return a.at - b.at;
    return text(a) === text(b) ? Number(a.round_bet - b.round_bet) : text(a) < text(b) ? -1 : 1;
  });
  const found = await readBiggestWin(pool, player_id);
  const shown = found && {
    vendor_id: found.vendor_id,
    game_id: found.game_id,
    at: found.at,
    size: millionths(found.base_win),
    round_bet: millionths(found.base_bet ?? '-1'),
  };
  expect(shown).toEqual(biggest);
}

async function applyToShadow(brand: Brand, batches: readonly (readonly RoundBody[])[]): Promise<void> {
  const readable = new Map<string, ReadableEvent>();
  for await (const page of ledger.history({ brand_id: brand.brand_id })) {
    for (const event of page) {
      const reading = readLedgerEvent(event, brand);
      if (reading.ok) readable.set(JSON.stringify(reading.readable.body), reading.readable);
    }
  }
  for (const batch of batches) {
    const events = batch.flatMap((body) => readable.get(JSON.stringify(publicationOf(body, brand).body)) ?? []);
    expect(events.length).toBe(batch.length);
    await shadow.apply(events, clock.now());
  }
}

const activity = (fields: Record<string, unknown> & { user_id: string }) => ({
  kind: 'casino' as const,
  body: {
    vendor_id: 'v',
    game_id: 'g',
    round_id: 'r1',
    activity_id: 'a1',
    type: 'Bet',
    amount: 10,
    currency: 'EUR',
    exchange_rate: 1,
    is_round_end: false,
    origin: 'o',
    timestamp: '2026-04-30T06:00:00Z',
    ...fields,
  },
});

async function totalsOf(user: string) {
  const { rows } = await pool.query<Row>('select * from live.casino_total where player_id = $1', [
    await stage.playerId(user),
  ]);
  return rows[0];
}

test('a biggest, first and last win that is rolled back in a later batch is replaced by the next one', async () => {
  const win = (activity_id: string, amount: number, time: string, status = 'Approved') =>
    activity({
      user_id: 'big',
      round_id: `r-${activity_id}`,
      type: 'Win',
      activity_id,
      amount,
      status,
      timestamp: `2026-04-30T0${time}:00Z`,
    });
  await stage.publish(win('1', 50, '5:00'), win('2', 20, '6:00'), win('3', 30, '7:00'));
  await stage.derive();
  await stage.publish(win('1', 0, '7:30', 'Rollback'), win('3', 0, '7:31', 'Rollback'));
  await stage.derive();
  const six = Date.UTC(2026, 3, 30, 6) * 1000;
  expect(await totalsOf('big')).toMatchObject({
    win_biggest: '20',
    win_first_at: six,
    win_last_at: six,
    round_count: 1,
  });
  await stage.publish(win('2', 0, '7:32', 'Rollback'));
  await stage.derive();
  expect(await totalsOf('big')).toBeUndefined();
});

test('contradictory events do not stop a batch, and are not parked', async () => {
  const user_id = 'odd';
  const names = { game_name: 'Nordlys', game_type: 'slots', device_type: 'toaster', user_currency: 'XYZ' };
  const { body: place } = activity({ user_id });
  const { vendor_id, game_id, origin, timestamp } = place;
  const message = { user_id, vendor_id, game_id, origin, timestamp, ...names };
  await stage.publish(
    activity({ user_id, type: 'Win', round_id: 'win without bet' }),
    activity({ user_id, status: 'Rollback', type: 'Loss', round_id: 'rollback of nothing' }),
    activity({ user_id, status: 'Rollback', round_id: 'r1' }),
    activity({ user_id, amount: 11, currency: 'SEK', exchange_rate: 0.1 }),
    activity({ user_id, amount: '999999999999999999', exchange_rate: 3, currency: 'JPY', activity_id: 'a9' }),
    activity({ user_id, wager_amount: 50, bonus_wager_amount: 70, activity_id: 'a8' }),
    { kind: 'gameround', body: { ...message, round_id: 'no amount' } },
    { kind: 'gameround', body: { ...message, round_id: 'r1', real_bet_user: 1 } },
    activity({ user_id, round_id: 'used again', activity_id: 'b1', timestamp: '2026-04-20T06:00:00Z' }),
    activity({ user_id, round_id: 'used again', activity_id: 'b2', timestamp: '2026-04-25T06:00:00Z' }),
  );
  await stage.derive();
  const { rows } = await pool.query('select * from parked_event');
  expect(rows).toEqual([]);
  const player_id = await stage.playerId(user_id);
  const listed = await listRounds(pool, { player_id, base_currency: 'EUR' }, {}, 100);
  expect(
    listed.map(({ round_id, status, unpriced }) => `${round_id}: ${status}${unpriced ? ', unpriced' : ''}`).sort(),
  ).toEqual([
    'no amount: closed',
    'r1: closed, unpriced',
    'rollback of nothing: unplayed',
    'used again: open',
    'used again: open',
    'win without bet: open',
  ]);
});

test('extremes far from the beginning of their rounds are found again', async () => {
  const user_id = 'far';
  const at = (day: number, hour: string) => `2026-04-${day}T${hour}:00Z`;
  const win = (round_id: string, activity_id: string, amount: number, timestamp: string, status = 'Approved') =>
    activity({ user_id, type: 'Win', round_id, activity_id, amount, timestamp, status });
  await stage.publish(
    // A usual round whose win comes ten hours after its bet, and a round of two bets whose win comes two days later.
    activity({ user_id, round_id: 'long', activity_id: 'b1', timestamp: at(29, '08:00') }),
    win('long', 'w1', 7, at(29, '18:30')),
    activity({ user_id, round_id: 'far', activity_id: 'b2', timestamp: at(27, '09:00') }),
    activity({ user_id, round_id: 'far', activity_id: 'b3', timestamp: at(27, '09:01') }),
    win('far', 'w2', 9, at(29, '18:40')),
    win('short', 'w3', 50, at(29, '18:50')),
  );
  await stage.derive();
  const seen = async () => {
    const { rows } = await pool.query(
      `select t.win_last_at, d.win_biggest as of_day, h.win_biggest as of_hour from live.casino_total t
       join live.casino_day d using (player_id) join live.casino_hour h using (player_id)
       where player_id = $1 and d.day = '2026-04-29' and h.hour = '2026-04-29T18:00:00Z'`,
      [await stage.playerId(user_id)],
    );
    return rows[0];
  };
  const minute = (of: number) => Date.UTC(2026, 3, 29, 18, of) * 1000;
  expect(await seen()).toEqual({ win_last_at: minute(50), of_day: '50', of_hour: '50' });
  await stage.publish(win('short', 'w3', 0, at(29, '19:00'), 'Rollback'));
  await stage.derive();
  expect(await seen()).toEqual({ win_last_at: minute(40), of_day: '9', of_hour: '9' });
  await stage.publish(win('far', 'w2', 0, at(29, '19:01'), 'Rollback'));
  await stage.derive();
  expect(await seen()).toEqual({ win_last_at: minute(30), of_day: '7', of_hour: '7' });
});

test('a round that never ends is reported', async () => {
  const bets = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      activity({
        user_id: 'endless',
        round_id: '0',
        activity_id: `e${from + i}`,
        timestamp: new Date(Date.UTC(2026, 3, 30, 3) + (from + i) * 18_000).toISOString(),
      }),
    );
  await stage.publish(...bets(0, 999));
  await stage.derive();
  expect(await endlessRound(pool, stage.brand.brand_id, clock.now())).toBeNull();
  await stage.publish(...bets(999, 2));
  await stage.derive();
  expect(await endlessRound(pool, stage.brand.brand_id, clock.now())).toBe(1_001);
});
