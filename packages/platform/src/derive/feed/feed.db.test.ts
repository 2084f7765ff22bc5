import { expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { DeriveUpkeep } from '../upkeep.ts';
import { delayBounds, feedMinutesSince, feedSummary, lastReceived } from './index.ts';

const { pool, clock, brand, publish, derive } = await setupStage();
const second = 1_000_000;
const start = clock.now();

test('counts and histograms add up over batches and minutes', async () => {
  const payment = (payment_id: string, fields: Record<string, unknown> = {}) => ({
    kind: 'payment' as const,
    received_at: clock.now(),
    body: paymentBody({
      user_id: 'a',
      payment_id,
      timestamp: new Date(clock.now() / 1000 - 500).toISOString(),
      ...fields,
    }),
  });
  const first = payment('1');
  await publish(first, first, payment('1', { amount: 11 }), payment('2', { status: 'Rollback' }));
  await derive();
  clock.advance(60 * second);
  await publish(
    payment('2', { status: 'Approved', timestamp: '2026-05-01T11:59:00Z' }),
    payment('3', { exchange_rate: 2 }),
  );
  await derive();
  const [summary, ...rest] = await feedSummary(pool, brand.brand_id, start);
  expect(rest).toEqual([]);
  // The Rollback was an orphan until its Approved came.
  expect(summary).toMatchObject({ kind: 'payment', events: 6, repeats: 1, conflicts: 1, orphans: 0, flagged: 1 });
  const histogram = summary?.delays.flatMap((n, i) => (n > 0 ? [[(delayBounds[i] ?? 0) / second, n]] : []));
  expect(histogram).toEqual([
    [0.5, 4],
    [120, 1],
  ]);
  expect(await feedMinutesSince(pool, brand.brand_id, start)).toEqual([
    { minute: start, kind: 'payment', events: 4 },
    { minute: start + 60 * second, kind: 'payment', events: 2 },
  ]);
  expect(await lastReceived(pool, brand.brand_id)).toEqual(new Map([['payment', clock.now()]]));
});

test('the upkeep deletes old minutes and hours, but never the time of the last event of a kind', async () => {
  const upkeep = new DeriveUpkeep({ pool, clock: clock.now, log: testLog });
  clock.advance(70 * 3600 * second);
  expect(await upkeep.runOnce()).toEqual({ days: 4, dropped: 0, hours: 0, minutes: 0 });
  clock.advance(3 * 3600 * second);
  expect(await upkeep.runOnce()).toMatchObject({ hours: 2, minutes: 0 });
  clock.advance(40 * 24 * 3600 * second);
  expect(await upkeep.runOnce()).toMatchObject({ hours: 0, minutes: 1 });
  expect((await lastReceived(pool, brand.brand_id)).size).toBe(1);
});
