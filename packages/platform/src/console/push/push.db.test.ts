import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { Vault } from '../../brands/index.ts';
import { PushTokens, queuePush, subscribe } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';

const { pool, clock, brand, get, call, as, publish, derive, push } = await setupConsole();

test('every push is shown with its state and reason, devices without their addresses; masked by role', async () => {
  await publish('login', { user_id: 'anna', timestamp: '2026-05-01T08:00:00Z' });
  await derive();
  const { rows } = await pool.query<{ player_id: number }>(`select player_id from player where user_id = 'anna'`);
  const player_id = rows[0]?.player_id ?? 0;
  const { brand_id } = brand;
  const at = clock.now();
  const queue = (message_id: number) =>
    transaction(pool, (tx) => queuePush(tx, [{ brand_id, player_id, message_id, expires_at: null }], at));
  await queue(1);
  const keys = {
    p256dh: await push.keys.of(brand),
    auth: Buffer.alloc(16, 1).toString('base64url'),
  };
  const tokens = new PushTokens({ secrets: ['a secret for tests'] });
  const device = { endpoint: 'https://push.example/secret-address', keys };
  await subscribe(
    { pool, ...push, tokens, clock: clock.now },
    { brand, player_id, sid_hash: 's', isSignedIn: async () => true },
    device,
  );
  await queue(2);
  await pool.query(
    `update push_delivery set state = 'failed', reason = 'vapid_refused', status = 403, detail = 'at secret-address',
            attempts = 1, due_at = null, ended_at = created_at where message_id = 2`,
  );

  const all = await get('/brands/malta/push-deliveries?user_id=anna');
  expect(all.body.items).toMatchObject([
    { message_id: 2, user_id: 'anna', state: 'failed', reason: 'vapid_refused', host: 'push.example', status: 403 },
    { message_id: 1, user_id: 'anna', state: 'dropped', reason: 'no_device', host: null, attempts: 0 },
  ]);
  const first = await get('/brands/malta/push-deliveries?limit=1');
  const second = await get(`/brands/malta/push-deliveries?limit=1&cursor=${first.body.next}`);
  expect([...first.body.items, ...second.body.items]).toEqual(all.body.items);
  expect((await get('/brands/malta/push-deliveries?message_id=1&state=dropped')).body.items).toHaveLength(1);
  const viewer = await as('viewer');
  const masked = await get('/brands/malta/push-deliveries?reason=vapid_refused', viewer);
  expect(JSON.stringify(masked.body)).not.toContain('secret-address');

  const devices = await get('/brands/malta/players/anna/push-devices');
  expect(devices.body.items).toMatchObject([{ host: 'push.example' }]);
  expect(JSON.stringify(devices.body)).not.toContain('secret-address');
  const { body } = await get('/brands/malta/push');
  expect(body).toMatchObject({ enabled: true, devices: 1 });
  expect(body.counts).toHaveLength(2);
});

test('push keys: renewed by a role that manages keys, with an audit row; a pair that cannot be read is an alarm until then', async () => {
  const rotate = (body: object, token?: string) =>
    call('POST', '/brands/malta/push-keys', { body, ...(token === undefined ? {} : { token }) });
  for (const role of ['crm', 'compliance', 'viewer'] as const)
    expect((await rotate({}, await as(role))).status).toBe(403);
  const public_key = await push.keys.of(brand);
  const retained = await rotate({}, await as('integrator'));
  expect(retained).toMatchObject({ status: 201, body: { devices_kept: 1, devices_dropped: 0 } });
  // The site of this process returns the new key immediately.
  expect(await push.keys.of(brand)).toBe(retained.body.public_key);
  const shown = await get('/brands/malta/push');
  expect(shown.body.keys).toMatchObject([
    { public_key: retained.body.public_key, replaced_at: null, readable: true, devices: 0 },
    { public_key, replaced_at: expect.any(String), revoked_at: null, readable: true, devices: 1 },
  ]);
  const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from push_key');
  expect(rows).toHaveLength(2);
  for (const { sealed } of rows) {
    const { private_key } = push.vault.open(brand.code, sealed) as { private_key: string };
    expect(JSON.stringify(shown.body)).not.toContain(private_key);
  }

  const alarms = async () => {
    const { body } = await get('/brands/malta/overview');
    return body.alarms.map(({ code }: { code: string }) => code);
  };
  expect(await alarms()).not.toContain('push_keys_unreadable');
  const sealed = new Vault('a secret of before').seal(brand.code, { private_key: 'whatever' });
  await pool.query('update push_key set sealed = $1', [sealed]);
  expect(await alarms()).toContain('push_keys_unreadable');
  expect(await rotate({})).toMatchObject({ status: 201, body: { devices_kept: 0, devices_dropped: 1 } });
  expect(await alarms()).not.toContain('push_keys_unreadable');
  expect((await rotate({ revoke: true })).body).toMatchObject({ devices_dropped: 0 });
  expect((await rotate({ revoke: 'yes' })).status).toBe(400);

  const { body: audit } = await get('/brands/malta/audit');
  expect(audit.items.map(({ action, details }: Record<string, unknown>) => [action, details])).toEqual([
    ['push_key.rotated', { revoke: true, devices_kept: 0, devices_dropped: 0 }],
    ['push_key.rotated', { revoke: false, devices_kept: 0, devices_dropped: 1 }],
    ['push_key.rotated', { revoke: false, devices_kept: 1, devices_dropped: 0 }],
  ]);
});
