import { beforeEach, expect, test } from 'vitest';
import type { DerivedBatch } from '../consumer.ts';
import { timeline } from '../journal/index.ts';
import { paymentBody, setupStage } from '../test-stage.ts';
import { readTraits } from '../traits/index.ts';
import { listParked, parkedCounts } from './index.ts';

/** Players whose events a follower cannot digest: an error of the database that is about their content. */
const poisoned = new Set<string>();
let tries = 0;
const stage = await setupStage({
  consumers: [
    {
      async onBatch(tx, batch: DerivedBatch) {
        tries += 1;
        for (const { user_id } of batch.applied) if (poisoned.has(user_id)) await tx.query('select 1 / 0');
      },
    },
  ],
});
const { pool, clock, brand, publish, derive, playerId } = stage;
const minute = 60_000_000;

const deposit = (user_id: string, payment_id: string) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id }),
});

async function depositCount(user: string): Promise<unknown> {
  const traits = await readTraits(pool, { player_id: await playerId(user), time_zone: 'UTC' }, clock.now());
  return traits.deposit_count?.value;
}

beforeEach(() => {
  poisoned.clear();
  tries = 0;
});

test('the events of a poisoned player are parked with their reason, everybody else goes on', async () => {
  poisoned.add('bad');
  const others = Array.from({ length: 200 }, (_, i) => `good-${i}`);
  await publish(deposit('bad', '1'), ...others.map((user) => deposit(user, '1')), deposit('bad', '2'));
  await derive();
  for (const user of others.slice(0, 5)) expect(await depositCount(user)).toBe(1);
  const { rows } = await pool.query('select count(*) as n from live.payment_total');
  expect(rows[0].n).toBe(others.length);
  const [parked, ...rest] = await listParked(pool, brand.brand_id, 10);
  expect(rest).toEqual([]);
  expect(parked).toMatchObject({ user_id: 'bad', cause: 'failing', events: 2, parked_at: clock.now(), attempts: 0 });
  expect(parked?.reason).toContain('division by zero');
  // The whole batch, its buckets, and the players of one bucket: far from one try per player.
  expect(tries).toBeLessThan(1 + 64 + 20);
});

test('later events of a parked player queue behind, and all are applied once when the trouble is over', async () => {
  poisoned.add('bad');
  await publish(deposit('bad', '3'), deposit('good-0', '2'));
  await derive();
  expect(tries).toBe(1);
  expect(await depositCount('good-0')).toBe(2);
  expect(await parkedCounts(pool)).toEqual({ players: 1, events: 3 });

  clock.advance(minute);
  expect(await stage.worker.retryOnce()).toEqual({ tried: 1, applied: 0, failed: 1 });
  // Growing delay: not due again at once.
  expect(await stage.worker.retryOnce()).toEqual({ tried: 0, applied: 0, failed: 0 });
  poisoned.clear();
  clock.advance(minute);
  expect(await stage.worker.retryOnce()).toEqual({ tried: 1, applied: 3, failed: 0 });
  expect(await depositCount('bad')).toBe(3);
  expect(await parkedCounts(pool)).toEqual({ players: 0, events: 0 });
  const { entries } = await timeline(pool, await playerId('bad'), {}, 10);
  expect(entries.map(({ verdict }) => verdict)).toEqual(['applied', 'applied', 'applied']);
  await publish(deposit('bad', '4'), deposit('bad', '3'));
  await derive();
  expect(await depositCount('bad')).toBe(4);
});

test('an event that cannot be read is parked alone', async () => {
  const unreadable = { user_id: 'odd', timestamp: '2026-05-01T10:00:00Z', type: 'Credit' };
  await publish({ kind: 'payment', body: unreadable }, deposit('odd', '1'));
  await derive();
  expect(await depositCount('odd')).toBe(1);
  const [parked] = await listParked(pool, brand.brand_id, 10);
  expect(parked).toMatchObject({ cause: 'unreadable', user_id: null, events: 1, oldest: { kind: 'payment' } });
  expect(parked?.reason).toContain('amount');
  clock.advance(minute);
  expect(await stage.worker.retryOnce()).toEqual({ tried: 1, applied: 0, failed: 1 });
  expect((await listParked(pool, brand.brand_id, 10))[0]).toMatchObject({
    attempts: 1,
    retry_at: clock.now() + minute,
  });
});

test('a worker that lost the bucket retries nothing', async () => {
  await pool.query('update bucket set fence = fence + 1');
  clock.advance(2 * minute);
  await expect(stage.worker.retryOnce()).rejects.toThrow('belong to another worker');
});
