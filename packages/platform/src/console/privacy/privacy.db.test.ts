import { beforeAll, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { eraserOf, everyKind, fillTables, traces } from '../../../testing/privacy/setup-privacy.ts';

const console = await setupConsole();
const { pool, clock, call, get } = console;
const eraser = eraserOf(console);
const ann = traces('ann');
const path = `/brands/malta/players/${ann.user_id}`;

beforeAll(async () => {
  for (const { kind, body } of everyKind(ann, clock.now())) await console.publish(kind, body);
  await console.derive();
});

test('an export contains facts and events as they were sent, and is audited', async () => {
  const { status, body } = await get(`${path}/export`, await console.as('compliance'));
  expect(status).toBe(200);
  expect(body).toMatchObject({ user_id: ann.user_id, brand: 'malta' });
  expect(body.events).toHaveLength(everyKind(ann, clock.now()).length);
  expect(body.events[0].body).toMatchObject({ user_id: ann.user_id, ip_address: ann.ip_address });
  expect(body.tables.player[0]).toMatchObject({ user_id: ann.user_id });
  expect(body.tables['live.payment'].length).toBeGreaterThan(0);
  expect(body.tables.player_sync).toHaveLength(3);
  expect((await get(`${path}/export`, await console.as('crm'))).status).toBe(403);
});

test('an erasure requires the user_id again, and the right role; it is listed with its progress, identified only by a hash', async () => {
  const compliance = await console.as('compliance');
  const erase = (body: object, token: string) => call('POST', `${path}/erasure`, { body, token });
  expect((await erase({ confirm: 'somebody' }, compliance)).status).toBe(400);
  expect((await erase({ confirm: ann.user_id }, await console.as('crm'))).status).toBe(403);
  const first = await erase({ confirm: ann.user_id }, compliance);
  expect(first).toMatchObject({ status: 202, body: { step: 'waiting', forced: false, user_id: ann.user_id } });
  const cancelled = await call('POST', `/brands/malta/erasures/${first.body.erasure_id}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, body: { step: 'cancelled', user_id: null } });

  const asked = await erase({ confirm: ann.user_id }, compliance);
  // A second request returns the same erasure, and does not replace the person.
  const again = await erase({ confirm: ann.user_id }, await console.as('admin'));
  expect(again.body).toMatchObject({ erasure_id: asked.body.erasure_id, requested_by: asked.body.requested_by });
  await eraser.runOnce();
  expect((await get(path)).status).toBe(404);
  expect((await call('POST', `/brands/malta/erasures/${asked.body.erasure_id}/cancel`)).status).toBe(409);
  clock.advance(60_000_000);
  await eraser.runOnce();
  const { body } = await get('/brands/malta/erasures');
  expect(body.items).toMatchObject([{ step: 'done', user_id: null }, { step: 'cancelled' }]);
  // Each erasure names the person who requested it.
  const requesters = body.items.map(({ requested_by }: { requested_by: string }) => requested_by);
  expect(requesters).toEqual([asked.body.requested_by, first.body.requested_by]);
  expect(first.body.requested_by).toMatch(/@/);
  expect(cancelled.body.requested_by).toBe(first.body.requested_by);
  expect(body.items[0].counts['ledger.events']).toBe(everyKind(ann, clock.now()).length);
  const { rows } = await pool.query(
    `select action, subject, details::text as details from console_audit order by audit_id`,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'player.exported',
    'player.erasure_requested',
    'player.erasure_cancelled',
    'player.erasure_requested',
    'player.erasure_requested',
  ]);
  expect(JSON.stringify(rows)).not.toContain(ann.user_id);
  expect(rows.at(-1).details).toContain(body.items[0].user_key);
});

test('a waiting erasure gives its reason in the language of the call', async () => {
  const bob = traces('bob');
  const player_id = await insertPlayer(pool, console.brand.brand_id, bob.user_id);
  await fillTables(pool, console.brand.brand_id, player_id, bob);
  await pool.query(`update bonus_intent set state = 'unknown' where player_id = $1 and bonus_code = 'RELOAD'`, [
    player_id,
  ]);
  await call('POST', `/brands/malta/players/${bob.user_id}/erasure`, { body: { confirm: bob.user_id } });
  await eraser.runOnce();
  const read = async (language: string) => {
    const headers = { authorization: `Bearer ${adminToken}`, 'accept-language': language };
    return (await console.app.inject({ url: '/api/console/v1/brands/malta/erasures', headers })).json().items[0];
  };
  expect((await read('en')).held_because).toBe('bonus intents that are neither credited nor rejected: 1');
  expect((await read('de')).held_because).toBe('Boni, die weder gutgeschrieben noch abgelehnt sind: 1');
});
