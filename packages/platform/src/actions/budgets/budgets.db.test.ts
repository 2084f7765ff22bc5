import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { noon } from '../../../testing/clock.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { openPool, transaction } from '../../database/index.ts';
import type { BudgetedIntent } from './budget.ts';
import { insertBudget, listBudgets, type NewBudget, playerUses } from './budget-store.ts';
import { reserve, type Settlement, settleReservations } from './reserve.ts';

const { url } = await setupDatabase();
const pool = openPool(url, { name: 'budgets', max: 25 });
afterAll(() => pool.end());
const day = 86_400_000_000;

async function setup(budgets: readonly Partial<NewBudget>[]) {
  const { brand } = await createBrand(pool);
  const { brand_id } = brand;
  const usual: NewBudget = {
    brand_id,
    name: 'Spring',
    scope: 'campaign',
    activity_id: 'spring',
    window_days: null,
    limit_amount: null,
    limit_count: null,
    bonus_values: { FIVE: '5' },
    alarm_percent: 90,
  };
  const ids = await transaction(pool, async (tx) => {
    const made: number[] = [];
    for (const budget of budgets)
      made.push(await insertBudget(tx, { ...usual, ...budget }, { at: noon, by: 'a test' }));
    return made;
  });
  const intent = (fields: Partial<BudgetedIntent> = {}): BudgetedIntent => ({
    intent_id: randomUUID(),
    brand_id,
    player_id: 1,
    bonus_code: 'FIVE',
    activity_id: 'spring',
    amount: null,
    currency: null,
    ...fields,
  });
  return {
    ids,
    intent,
    brand_id,
    /** One transaction of a worker. @returns the reason of each refusal, or null. */
    async reserve(intents: readonly BudgetedIntent[], at = noon) {
      const outcomes = await transaction(pool, (tx) => reserve(tx, intents, { at, base_currency: 'EUR' }));
      return intents.map(({ intent_id }) => {
        const outcome = outcomes.get(intent_id);
        return outcome?.reserved === false ? outcome.reason : null;
      });
    },
    settle: (intents: readonly BudgetedIntent[], state: Settlement['state']) =>
      transaction(pool, (tx) =>
        settleReservations(
          tx,
          intents.map(({ intent_id }) => ({ intent_id, state })),
        ),
      ),
    /** The reserved and spent amounts and counts of each budget, as text. */
    async uses() {
      const listed = await listBudgets(pool, brand_id, {}, 100);
      return listed
        .toReversed()
        .map((b) => [
          new Big(b.reserved_amount).toFixed(),
          b.reserved_count,
          new Big(b.spent_amount).toFixed(),
          b.spent_count,
        ]);
    },
  };
}

test('50 concurrent reservations: exactly as many succeed as the limit allows', async () => {
  const { intent, reserve, uses } = await setup([{ limit_amount: '101' }]);
  const reasons = await Promise.all(Array.from({ length: 50 }, (_, i) => reserve([intent({ player_id: i })])));
  expect(reasons.flat().filter((reason) => reason === null)).toHaveLength(20);
  expect(reasons.flat().filter((reason) => reason === 'used_up')).toHaveLength(30);
  expect(await uses()).toEqual([['100', 20, '0', 0]]);
});

test('50 concurrent reservations against three budgets each, in any order, never deadlock', async () => {
  const { intent, reserve, uses } = await setup([
    { limit_count: 30 },
    { activity_id: 'autumn', limit_count: 30 },
    { scope: 'player', activity_id: null, limit_count: 4 },
  ]);
  const pairs = Array.from({ length: 50 }, (_, i) => {
    const pair = [intent({ player_id: i % 5 }), intent({ player_id: (i + 1) % 5, activity_id: 'autumn' })];
    return reserve(i % 2 === 0 ? pair : pair.toReversed());
  });
  const reserved = (await Promise.all(pairs)).flat().filter((reason) => reason === null);
  // Five players with four reservations each.
  expect(reserved).toHaveLength(20);
  const [spring = [], autumn = [], players] = await uses();
  expect(Number(spring[1]) + Number(autumn[1])).toBe(20);
  expect(players).toEqual(['100', 20, '0', 0]);
});

test('an intent that one budget refuses takes nothing from the others', async () => {
  const { intent, reserve, uses } = await setup([{ limit_count: 10 }, { scope: 'player', limit_count: 1 }]);
  expect(await reserve([intent(), intent(), intent({ player_id: 2 })])).toEqual([null, 'used_up', null]);
  expect(await uses()).toEqual([
    ['10', 2, '0', 0],
    ['10', 2, '0', 0],
  ]);
});

test('a retry reserves nothing more; a release frees the amount; an unknown outcome keeps it; a late proof counts as spent, even beyond the limit', async () => {
  const { intent, reserve, settle, uses } = await setup([{ limit_amount: '10' }]);
  const [a, b, c] = [intent(), intent(), intent()];
  expect(await reserve([a, b, c])).toEqual([null, null, 'used_up']);
  expect(await reserve([a])).toEqual([null]);
  await settle([a], 'spent');
  await settle([b], 'released');
  await settle([a, b], 'released');
  await settle([a], 'spent');
  expect(await uses()).toEqual([['0', 0, '5', 1]]);
  expect(await reserve([c, intent()])).toEqual([null, 'used_up']);
  // The operator's event proves that b was in fact credited.
  await settle([b], 'spent');
  await settle([b, b], 'spent');
  expect(await uses()).toEqual([['5', 1, '10', 2]]);
  await settle([a], 'reserved');
  expect(await uses()).toEqual([['10', 2, '5', 1]]);
});

test("a player's limit over days counts the reservations within the window, and frees them as time passes", async () => {
  const { brand_id, intent, reserve } = await setup([{ scope: 'player', limit_count: 2, window_days: 7 }]);
  expect(await reserve([intent()], noon)).toEqual([null]);
  expect(await reserve([intent(), intent()], noon + 6 * day)).toEqual([null, 'used_up']);
  expect(await playerUses(pool, { brand_id, player_id: 1 }, noon + 6 * day)).toMatchObject([
    { amount: '10', count: 2 },
  ]);
  expect(await reserve([intent(), intent()], noon + 7 * day)).toEqual([null, 'used_up']);
});

test("money in another currency costs its value at the player's latest rate, and is refused if none is known", async () => {
  const { brand_id, intent, reserve, uses } = await setup([{ limit_amount: '10' }]);
  const { rows } = await pool.query<{ player_id: number }>(
    'insert into player (brand_id, user_id, bucket) values ($1, $2, 0) returning player_id',
    [brand_id, 'kim'],
  );
  const player_id = rows[0]?.player_id ?? 0;
  await pool.query(
    `insert into live.balance (player_id, key, at, fingerprint, amount, currency, exchange_rate, base_amount, origin)
     values ($1, 'real_money', now(), '\\x00', 1, 'SEK', 0.0894, 0.0894, 'x'),
            ($1, 'old', now() - interval '1 day', '\\x00', 1, 'SEK', 0.5, 0.5, 'x')`,
    [player_id],
  );
  const funds = (amount: string, currency: string) => intent({ player_id, amount, currency });
  expect(await reserve([funds('100', 'SEK'), funds('1', 'NOK'), funds('20', 'SEK'), funds('1', 'EUR')])).toEqual([
    null,
    'no_rate',
    'used_up',
    null,
  ]);
  expect(await uses()).toEqual([['9.94', 2, '0', 0]]);
});

test('any sequence of reservations and outcomes matches a simple count, within the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          intent: fc.integer({ min: 0, max: 5 }),
          to: fc.constantFrom('reserve' as const, 'reserve' as const, 'spent' as const, 'released' as const),
        }),
        { maxLength: 20 },
      ),
      async (steps) => {
        const { intent, reserve, settle, uses } = await setup([{ limit_amount: '15' }]);
        const intents = Array.from({ length: 6 }, () => intent());
        const held = new Map<number, 'reserved' | 'spent' | 'released'>();
        for (const { intent: place, to } of steps) {
          const own = intents[place] as BudgetedIntent;
          const state = held.get(place);
          if (to === 'reserve') {
            const used = [...held.values()].filter((each) => each !== 'released').length;
            const isHeld = state === 'reserved' || state === 'spent';
            const expected = isHeld || used < 3 ? null : 'used_up';
            expect(await reserve([own])).toEqual([expected]);
            if (expected === null && !isHeld) held.set(place, 'reserved');
          } else {
            await settle([own], to);
            if (state !== undefined) held.set(place, to);
          }
        }
        const count = (of: string) => [...held.values()].filter((state) => state === of).length;
        const [reserved, spent] = [count('reserved'), count('spent')];
        const all = await uses();
        expect(all).toEqual([[String(reserved * 5), reserved, String(spent * 5), spent]]);
      },
    ),
    { numRuns: 12 },
  );
}, 30_000);
