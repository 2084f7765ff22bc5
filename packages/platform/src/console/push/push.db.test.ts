import { expect, test } from 'vitest';
import { testVault } from '../../../test/brand.ts';
import { BrandPushKeys, PushTokens, queuePush, subscribe } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { setupConsole } from '../setup-console.ts';

const { pool, clock, brand, get, as, publish, derive } = await setupConsole();

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
    p256dh: (await new BrandPushKeys({ pool, vault: testVault, clock: clock.now }).of(brand)).public_key,
    auth: Buffer.alloc(16, 1).toString('base64url'),
  };
  const tokens = new PushTokens({ secrets: ['a secret for tests'] });
  const device = { endpoint: 'https://push.example/secret-address', keys };
  await subscribe(
    { pool, vault: testVault, tokens, clock: clock.now },
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
