import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import { setupStage } from '../../../testing/derive/stage.ts';
import { makeWorker } from '../../../testing/operator/setup-sync.ts';
import { pollOptions } from '../../../testing/operator/writeback/setup-writes.ts';
import { transaction } from '../../database/index.ts';
import { RefreshConsumer } from '../players/index.ts';
import { changeConsents } from './index.ts';

/*
 * Operators publish a consents event for every change of their records, including those that the platform requests. The event
 * requests a look-up and never a write, so there is no loop.
 */
const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const operator = await startSandboxOperator({ auth, population: { prefix: 'p-', count: 100 } });
const consumer: RefreshConsumer = new RefreshConsumer({
  brands: { byId: (brandId) => stage.brands.byId(brandId) },
  wake: () => sync.scheduler.wake(),
});
const stage = await setupStage({ brand: { operator: { base_url: operator.url, auth } }, consumers: [consumer] });
const sync = makeWorker(stage.pool, [stage.brand]);
await sync.start();
afterAll(async () => {
  await sync.stop();
  await operator.stop();
});

async function count(sql: string): Promise<number> {
  return (await stage.pool.query<{ n: number }>(`select count(*)::int as n from ${sql}`)).rows[0]?.n ?? 0;
}

test('write-backs to an operator that echoes each as an event end after one write and at most three look-ups each', async () => {
  const players = Array.from({ length: 20 }, (_, n) => `p-${n}`);
  const publish = (user_id: string, kind: 'login' | 'consents_update') =>
    stage.publish({ kind, body: { user_id, timestamp: '2026-05-01T11:59:59Z' } });
  for (const user of players) await publish(user, 'login');
  await stage.derive();
  await expect.poll(() => count('player_sync where requested > done'), pollOptions).toBe(0);
  operator.calls.clear();

  const echoed: string[] = [];
  operator.books.listen(({ what, by, user_id }) => {
    if (what === 'consents' && by === 'platform') echoed.push(user_id);
  });
  for (const user of players) {
    const player_id = await stage.playerId(user);
    const changes = [{ type: 'Email', opted_in: false }] as const;
    const own = {
      brand_id: stage.brand.brand_id,
      player_id,
      changes,
      source: 'unsubscribe',
      at: stage.clock.now(),
    } as const;
    await transaction(stage.pool, (tx) => changeConsents(tx, own));
  }
  sync.writer.wake();
  await expect.poll(() => count(`write_back_item where state = 'confirmed'`), pollOptions).toBe(players.length);
  for (const user of echoed) await publish(user, 'consents_update');
  await stage.derive();
  await expect.poll(() => count('player_sync where requested > done'), pollOptions).toBe(0);
  await expect.poll(() => count('write_back where due_at is not null'), pollOptions).toBe(0);

  expect(echoed).toHaveLength(players.length);
  const calls = Map.groupBy(operator.calls.list(), (call) => call.endpoint);
  expect(calls.get('userconsents_write')).toHaveLength(players.length);
  expect(calls.get('userconsents')?.length).toBeLessThanOrEqual(3 * players.length);
  expect([...calls.keys()].toSorted()).toEqual(['userconsents', 'userconsents_write']);
});
