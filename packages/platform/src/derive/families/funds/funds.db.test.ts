import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { type FundsBody, history, plainFunds } from '../../../../testing/derive/families/funds/plain.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { paymentBody, setupStage } from '../../../../testing/derive/stage.ts';
import type { Brand } from '../../../brands/index.ts';
import { readActivity } from '../../players/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../../read.ts';
import { differencesOf } from '../../rebuild/compare.ts';
import { Shadow } from '../../rebuild/shadow.ts';
import { stateHashes } from '../../state-hash.ts';
import { readTraits } from '../../traits/index.ts';
import { fundsTotals } from './index.ts';

const time_zone = 'Europe/Malta';
const stage = await setupStage({ brand: { time_zone } });
const { pool, clock, ledger } = stage;
// All histories of plain.ts fall in the 24 hours before this time.
clock.set(Date.UTC(2026, 3, 30, 8) * 1000);
const shadow = await Shadow.open(pool, 1);
afterAll(() => shadow.close());

test('P2, P3, P4: in the database, any order and batching gives the result of the plain implementation, and the state hashes of a rebuild', async () => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies), arrivalsOf(bodies))),
      async ([bodies, batches, otherBatches]) => {
        const { brand } = await createBrand(pool, { time_zone });
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => ({ kind: 'funds_credited' as const, body: { ...body }, brand })));
          await stage.derive();
        }
        const ids: number[] = [];
        for (const [user, funds] of plainFunds(brand.brand_id, bodies)) {
          const player_id = await stage.playerId(user, brand);
          ids.push(player_id);
          const counted = funds.filter((each) => each.counted);
          const baseValue = counted.reduce((sum, each) => sum + each.base_amount, 0n);
          const traits = await readTraits(pool, { player_id, time_zone }, clock.now());
          expect(traits.funds_credited_count?.value).toBe(counted.length);
          for (const name of ['funds_credited_sum', 'funds_credited_sum_24h', 'bonus_cost']) {
            expect(millionths(String(traits[name]?.value))).toBe(baseValue);
          }
          const times = counted.map(({ at }) => at * 1000);
          expect(traits.funds_credited_last_at?.value).toBe(times.length === 0 ? null : Math.max(...times));
        }
        expect(await fundsTotals.rollup.differences(pool, brand.brand_id)).toEqual([]);
        await applyToShadow(brand, otherBatches);
        const live = await stateHashes(pool, ids, clock.now());
        expect(differencesOf(ids, live, await stateHashes(pool, ids, clock.now(), shadow.schema))).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
}, 60_000);

async function applyToShadow(brand: Brand, batches: readonly (readonly FundsBody[])[]): Promise<void> {
  const readable = new Map<string, ReadableEvent>();
  for await (const page of ledger.history({ brand_id: brand.brand_id })) {
    for (const event of page) {
      const reading = readLedgerEvent(event, brand);
      if (reading.ok) readable.set(JSON.stringify(reading.readable.body), reading.readable);
    }
  }
  for (const batch of batches) {
    const events = batch.flatMap((body) => readable.get(JSON.stringify(body)) ?? []);
    expect(events.length).toBe(batch.length);
    await shadow.apply(events, clock.now());
  }
}

test('credited funds are a bonus cost, lower NGR, and do not count as activity of the player', async () => {
  const bonus = { bonus_id: '1', product: 'Casino', type: 'WagerFree', origin: 'x', currency: 'EUR', exchange_rate: 1 };
  const at = (hour: number) => `2026-04-30T0${hour}:00:00Z`;
  await stage.publish(
    { kind: 'payment', body: paymentBody({ user_id: 'cost', payment_id: '1', timestamp: at(1) }) },
    {
      kind: 'bonus',
      body: {
        ...bonus,
        user_id: 'cost',
        user_bonus_id: '1',
        status: 'Completed',
        timestamp: at(2),
        amount: 5,
        bonus_turned_real: 3,
      },
    },
    {
      kind: 'funds_credited',
      body: {
        user_id: 'cost',
        intent_id: '9',
        revision: 1,
        status: 'Approved',
        timestamp: at(3),
        amount: 40,
        currency: 'SEK',
        exchange_rate: 0.1,
      },
    },
  );
  await stage.derive();
  const player_id = await stage.playerId('cost');
  const traits = await readTraits(pool, { player_id, time_zone }, clock.now());
  expect(traits.bonus_cost?.value).toBe('7');
  expect(traits.ngr?.value).toBe('-7');
  expect(traits.ngr_today?.value).toBe('-7');
  expect((await readActivity(pool, player_id))?.last_event_at).toBe(Date.UTC(2026, 3, 30, 2) * 1000);
});
