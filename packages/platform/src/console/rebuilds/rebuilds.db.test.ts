import { beforeAll, expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { RebuildRunner } from '../../derive/index.ts';

const console = await setupConsole();
const { pool, brands, ledger, history, clock, call, get } = console;
const runner = new RebuildRunner({ pool, brands, ledger, history, clock: clock.now, log: testLog });

beforeAll(async () => {
  for (const user_id of ['ann', 'bob']) {
    await console.publish('login', { user_id, timestamp: '2026-05-01T11:00:00Z' });
  }
  await console.derive();
  await pool.query(
    `update live.login set origin = 'altered' where player_id = (select player_id from player where user_id = 'bob')`,
  );
});

test('a rebuild is requested and watched, and reports what differs', async () => {
  const asked = await call('POST', '/brands/malta/rebuilds', { body: {} });
  expect(asked.status).toBe(202);
  const { rebuild_id } = asked.body;
  expect((await get(`/brands/malta/rebuilds/${rebuild_id}`)).body).toMatchObject({ phase: 'waiting', of: 'brand' });
  await runner.runOnce();
  expect((await get('/brands/malta/rebuilds')).body).toMatchObject({
    items: [{ rebuild_id, outcome: 'done', players: 2, differences: 1, buckets: { done: 64, of: 64 }, failures: [] }],
    next: null,
  });
  const { body } = await get(`/brands/malta/rebuilds/${rebuild_id}/differences`);
  expect(body.items).toMatchObject([{ user_id: 'bob', tables: ['login'], swapped: false }]);
  const one = await get(`/brands/malta/rebuilds/${rebuild_id}/differences/bob`);
  expect(one.body.rows.login.live).toMatchObject([{ origin: 'altered' }]);
  expect((await get(`/brands/malta/rebuilds/${rebuild_id}/differences/ann`)).status).toBe(404);
  expect(
    (await get(`/brands/malta/rebuilds/${rebuild_id}/differences/bob`, await console.as('integrator'))).status,
  ).toBe(403);
});

test("a rebuild of one player replaces the player's rows; rebuilds are paged; unknown ones are answered 404", async () => {
  const asked = await call('POST', '/brands/malta/rebuilds', { body: { user_id: 'bob', swap: true } });
  await runner.runOnce();
  expect((await get(`/brands/malta/rebuilds/${asked.body.rebuild_id}`)).body).toMatchObject({
    of: 'player',
    user_id: 'bob',
    swap: true,
    swapped: 1,
    outcome: 'done',
  });
  const page = await get('/brands/malta/rebuilds?limit=1');
  expect(page.body.items).toHaveLength(1);
  expect((await get(`/brands/malta/rebuilds?limit=1&cursor=${page.body.next}`)).body).toMatchObject({
    items: [{ of: 'brand' }],
    next: null,
  });
  expect((await call('POST', '/brands/malta/rebuilds', { body: { user_id: 'nobody' } })).status).toBe(404);
  const { brand } = await createBrand(pool, { code: 'other' });
  await brands.refresh();
  expect((await get(`/brands/${brand.code}/rebuilds/${asked.body.rebuild_id}`)).status).toBe(404);
});

test('a rebuild can be cancelled, and the audit records who requested what', async () => {
  const asked = await call('POST', '/brands/malta/rebuilds', { body: {} });
  const cancelled = await call('POST', `/brands/malta/rebuilds/${asked.body.rebuild_id}/cancel`);
  expect(cancelled).toMatchObject({ status: 202, body: { outcome: 'cancelled', phase: 'over' } });
  const { body } = await get('/brands/malta/audit');
  expect(body.items.map((entry: { action: string }) => entry.action)).toEqual([
    'rebuild.cancelled',
    'rebuild.requested',
    'rebuild.requested',
    'rebuild.requested',
  ]);
});
