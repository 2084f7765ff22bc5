import { expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { watchedPool } from '../../../testing/derive/watched-pool.ts';
import { testLog } from '../../../testing/log.ts';
import type { DerivedBatch } from '../consumer.ts';
import { readTraits } from '../traits/index.ts';
import { readDifferences, readRebuilds, rebuild } from './index.ts';

const poisoned = new Set<string>();
const stage = await setupStage({
  consumers: [
    {
      async onBatch(tx, batch: DerivedBatch) {
        for (const { user_id } of batch.applied) if (poisoned.has(user_id)) await tx.query('select 1 / 0');
      },
    },
  ],
});
const { pool, clock, brand, brands, ledger, history, publish, derive, playerId } = stage;
const options = { pool, ledger, history, brands, log: testLog, clock: clock.now, scope: { of: 'everything' } } as const;
const users = Array.from({ length: 30 }, (_, i) => `u${i}`);

const deposit = (user_id: string, payment_id: string, fields: Record<string, unknown> = {}) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, ...fields }),
});

async function publishSome(round: number): Promise<void> {
  await publish(
    ...users.flatMap((user_id) => [
      { kind: 'login' as const, body: { user_id, timestamp: `2026-05-01T10:00:0${round}Z` } },
      deposit(user_id, `${round}`, { amount: 12.3 }),
      deposit(user_id, `${round}`, { amount: 7 }),
      deposit(user_id, `${round - 1}`, { status: 'Rollback', timestamp: '2026-05-01T11:30:00Z' }),
    ]),
  );
}

test('P4: the incremental state equals the rebuilt one, even with events that are not derived yet', async () => {
  for (const round of [1, 2, 3]) {
    await publishSome(round);
    await derive();
  }
  poisoned.add('u7');
  await publishSome(4);
  await stage.worker.runOnce();
  await publishSome(5);
  const result = await rebuild(options);
  expect(result).toMatchObject({ players: 30, differences: [], failures: [], swapped: 0 });
  expect(result.events).toBeGreaterThan(300);
  expect(await readRebuilds(pool, 1)).toMatchObject([{ outcome: 'done', players: 30, differences: 0, swap: false }]);
  const { rows } = await pool.query(`select nspname from pg_namespace where nspname like 'rebuild%'`);
  expect(rows).toEqual([]);
});

test('events that are parked at the start and applied during the rebuild cause no difference', async () => {
  poisoned.add('u9');
  await publish(deposit('u9', '9'));
  await derive();
  poisoned.clear();
  clock.advance(86_400_000_000);
  let retry: Promise<unknown> = Promise.resolve();
  const result = await rebuild({
    ...options,
    onProgress: ({ phase, buckets }) => {
      if (phase === 'comparing' && buckets.done === 1) retry = stage.worker.retryOnce();
    },
  });
  expect(await retry).toMatchObject({ tried: 13, applied: 13, failed: 0 });
  expect(result.differences).toEqual([]);
  expect((await rebuild(options)).differences).toEqual([]);
});

test('an event that is parked while a rebuild starts causes no difference', async () => {
  const { pool: watched, onQuery } = watchedPool(pool);
  onQuery(/from bucket|join parked_event/, async () => {
    poisoned.add('u5');
    await publish(deposit('u5', 'late'));
    await stage.worker.runOnce();
  });
  const { differences } = await rebuild({ ...options, pool: watched });
  expect(differences).toEqual([]);
  poisoned.clear();
});

test('an altered row is found, reported, and replaced on request, while batches continue', async () => {
  const altered = await playerId('u3');
  await pool.query('update live.payment_total set deposit_sum = deposit_sum + 1 where player_id = $1', [altered]);
  await pool.query('delete from live.login where player_id = $1', [altered]);
  const found = await rebuild(options);
  expect(found.differences.map(({ player_id, tables }) => [player_id, tables])).toEqual([
    [altered, ['login', 'payment_total']],
  ]);
  expect(await readDifferences(pool, found.rebuild_id, 10)).toMatchObject([{ player_id: altered, swapped: false }]);
  let live = Promise.resolve();
  const swapped = await rebuild({
    ...options,
    swap: true,
    onProgress: ({ phase }) => {
      if (phase === 'comparing') live = live.then(async () => void (await stage.worker.runOnce()));
    },
  });
  await live;
  expect(swapped).toMatchObject({ swapped: 1, difference_count: 1 });
  expect(swapped.longest_pause_ms).toBeLessThan(2_000);
  expect((await rebuild(options)).differences).toEqual([]);
});

test('one player, or one brand, can be rebuilt', async () => {
  await derive();
  const other = await createBrand(pool);
  await brands.refresh();
  await publish({ ...deposit('u3', 'x'), brand: other.brand });
  await derive();
  const [here, there] = [await playerId('u3'), await playerId('u3', other.brand)];
  await pool.query('update live.payment_total set deposit_count = 0 where player_id = any ($1)', [[here, there]]);
  const scope = { of: 'player', brand_id: brand.brand_id, user_id: 'u3' } as const;
  const player = await rebuild({ ...options, scope, swap: true });
  expect(player).toMatchObject({ players: 1, swapped: 1 });
  const brandWide = await rebuild({ ...options, scope: { of: 'brand', brand_id: other.brand.brand_id } });
  expect(brandWide.differences.map(({ player_id }) => player_id)).toEqual([there]);
  const traits = await readTraits(pool, { player_id: here, time_zone: 'UTC' }, clock.now());
  expect(traits.deposit_count?.value).toBeGreaterThan(0);
  const unknown = { ...scope, user_id: 'nobody' };
  await expect(rebuild({ ...options, scope: unknown })).rejects.toThrow('the player nobody does not exist');
});

test('a rebuild whose process was killed is marked as interrupted by the next one', async () => {
  await pool.query('insert into rebuild (swap, started_at) values (false, now())');
  await rebuild({ ...options, scope: { of: 'player', brand_id: brand.brand_id, user_id: 'u1' } });
  const [last, killed] = await readRebuilds(pool, 2);
  expect([last?.outcome, killed?.outcome]).toEqual(['done', 'interrupted']);
  expect(killed?.finished_at).toBe(clock.now());
});

test('a rebuild that fails reports why, even if its end cannot be recorded', async () => {
  const cancel = new AbortController();
  const { pool: watched, onQuery } = watchedPool(pool);
  onQuery(/from bucket/, async () => {
    await pool.query('alter table rebuild rename to away');
    cancel.abort(new Error('the real reason'));
  });
  await expect(rebuild({ ...options, pool: watched, signal: cancel.signal })).rejects.toThrow('the real reason');
  await pool.query('alter table away rename to rebuild');
});

test('a cancelled rebuild cleans up and reports it; a second concurrent one is refused', async () => {
  const cancel = new AbortController();
  const cancelled = rebuild({ ...options, signal: cancel.signal, onProgress: () => cancel.abort() });
  await expect(cancelled).rejects.toThrow('aborted');
  expect((await readRebuilds(pool, 1))[0]?.outcome).toBe('cancelled');
  let second: Promise<unknown> = Promise.resolve();
  await rebuild({
    ...options,
    onProgress: ({ buckets }) => {
      if (buckets.done === 1) second = rebuild(options).catch((error: Error) => error.name);
    },
  });
  expect(await second).toBe('RebuildRunning');
});
