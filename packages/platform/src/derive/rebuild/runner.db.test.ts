import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import {
  cancelRebuild,
  RebuildRunner,
  type RebuildScope,
  readDifference,
  readDifferences,
  readRebuild,
  rebuild,
  requestRebuild,
} from './index.ts';
import { RebuildLock } from './lock.ts';
import { rebuildBehind } from './rebuild.ts';

const stage = await setupStage();
const { pool, clock, brand, brands, ledger, history, publish, derive, playerId } = stage;
const deps = { pool, ledger, history, brands, log: testLog, clock: clock.now };
const everything: RebuildScope = { of: 'everything' };
const runner = new RebuildRunner(deps);
const users = Array.from({ length: 20 }, (_, i) => `u${i}`);

const request = (player_id: number | null = null, swap = false) =>
  requestRebuild(pool, { brand_id: brand.brand_id, player_id, swap, now: clock.now() });
const rowOf = async (rebuildId: number) => readRebuild(pool, rebuildId, brand.brand_id);

beforeAll(async () => {
  await publish(
    ...users.map((user_id) => ({ kind: 'payment' as const, body: paymentBody({ user_id, payment_id: '1' }) })),
  );
  await derive();
});

test('requested rebuilds run one after the other, and their rows show the outcome', async () => {
  const altered = await playerId('u3');
  await pool.query(`update live.payment set note = 'altered' where player_id = $1`, [altered]);
  const first = await request();
  const second = await request(altered, true);
  expect(await rowOf(first)).toMatchObject({ phase: 'waiting', started_at: null, outcome: null });
  expect(await runner.runOnce()).toMatchObject({ rebuild_id: first, difference_count: 1, swapped: 0 });
  expect(await rowOf(first)).toMatchObject({
    phase: 'over',
    outcome: 'done',
    players: 20,
    events: 20,
    differences: 1,
    user_id: null,
    buckets_done: 64,
    buckets_of: 64,
    requested_at: clock.now(),
    finished_at: clock.now(),
  });
  expect(await runner.runOnce()).toMatchObject({ rebuild_id: second, difference_count: 1, swapped: 1 });
  expect(await rowOf(second)).toMatchObject({ outcome: 'done', players: 1, swapped: 1, user_id: 'u3', buckets_of: 1 });
  expect(await runner.runOnce()).toBeUndefined();
});

test('a difference is stored with the rows that only one side has', async () => {
  const altered = await playerId('u4');
  await pool.query('update live.payment_total set deposit_count = 7 where player_id = $1', [altered]);
  const rebuildId = await request();
  await runner.runOnce();
  expect(await readDifferences(pool, rebuildId, 10)).toMatchObject([{ user_id: 'u4', tables: ['payment_total'] }]);
  const difference = await readDifference(pool, rebuildId, altered);
  expect(difference?.rows).toEqual({
    payment_total: {
      live: [expect.objectContaining({ deposit_count: 7, deposit_sum: 10 })],
      rebuilt: [expect.objectContaining({ deposit_count: 1, deposit_sum: 10 })],
    },
  });
  await pool.query('update live.payment_total set deposit_count = 1 where player_id = $1', [altered]);
});

test('a waiting rebuild is cancelled immediately; a running one within seconds, by any process', async () => {
  const waiting = await request();
  await cancelRebuild(pool, waiting, clock.now());
  expect(await rowOf(waiting)).toMatchObject({ outcome: 'cancelled', phase: 'over' });
  expect(await runner.runOnce()).toBeUndefined();

  const held = await pool.connect();
  await held.query('begin; lock table parked_event in access exclusive mode');
  const running = rebuild({ ...deps, scope: everything });
  const cancelled = expect(running).rejects.toThrow('the rebuild was cancelled');
  const rebuildId = await numberOfRunning();
  await cancelRebuild(pool, rebuildId, clock.now());
  expect(await rowOf(rebuildId)).toMatchObject({ cancel_requested: true, outcome: null });
  const noted = await lastNote(rebuildId);
  // A running rebuild checks for a cancellation when it records its progress, once a second.
  await expect.poll(() => lastNote(rebuildId), { interval: 20 }).not.toBe(noted);
  await held.query('rollback');
  held.release();
  await cancelled;
  expect(await rowOf(rebuildId)).toMatchObject({ outcome: 'cancelled', phase: 'over' });
});

test('a rebuild that loses its lock ends, but its process does not', async () => {
  const lock = await RebuildLock.take(pool);
  const rebuildId = await request();
  lock.client.emit('error', new Error('terminated'));
  const ended = rebuildBehind(lock, { ...deps, scope: everything }, { rebuild_id: rebuildId, player_id: null });
  await expect(ended).rejects.toThrow('the connection that holds the lock of a rebuild was lost');
  expect(await rowOf(rebuildId)).toMatchObject({ outcome: 'interrupted' });
});

test('while a rebuild runs, the next one waits; stopping the process interrupts it', async () => {
  const rebuildId = await request();
  const held = await pool.connect();
  await held.query('begin; lock table parked_event in access exclusive mode');
  const ended = runner.runOnce().catch((error: Error) => error.message);
  expect(await numberOfRunning()).toBe(rebuildId);
  const other = await request();
  expect(await new RebuildRunner(deps).runOnce()).toBeUndefined();
  await expect(rebuild({ ...deps, scope: everything })).rejects.toThrow('another rebuild is running');
  const stopped = runner.stop();
  await held.query('rollback');
  held.release();
  await stopped;
  expect(await ended).toBe('the process is stopping');
  expect(await rowOf(rebuildId)).toMatchObject({ outcome: 'interrupted' });
  expect(await new RebuildRunner(deps).runOnce()).toMatchObject({ rebuild_id: other, differences: [] });
});

/** Changes each time the row of a rebuild is written. */
async function lastNote(rebuildId: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ xmin: string }>('select xmin::text from rebuild where rebuild_id = $1', [
    rebuildId,
  ]);
  return rows[0]?.xmin;
}

/** Waits until a rebuild has started and queries parked events. */
async function numberOfRunning(): Promise<number> {
  for (;;) {
    const { rows } = await pool.query<{ rebuild_id: number }>(
      `select rebuild_id from rebuild where outcome is null and started_at is not null
       and exists (select from pg_locks where locktype = 'relation' and relation = 'parked_event'::regclass and not granted)`,
    );
    if (rows[0] !== undefined) return rows[0].rebuild_id;
    await wait(10);
  }
}
