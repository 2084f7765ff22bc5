import { expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { isSignedIn, type PushSetup, setupPush } from '../../../testing/channels/push/setup-push.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { Unreadable, Vault } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import {
  BrandPushKeys,
  listPairs,
  maxFormerPairs,
  type PostedDevice,
  PushKeyUpkeep,
  rotateKeys,
  subscribe,
  unsubscribe,
} from './index.ts';

const { pool } = await setupDatabase();
const hour = 3_600_000_000;

/** A new brand, with two processes that know its pairs: `here`, which makes the rotations, and `there`. */
async function setup() {
  const push = await setupPush(pool);
  const { brand, clock, service, run, message } = push;
  const here = push.push.keys;
  const there = new BrandPushKeys({ pool, vault: testVault, clock: clock.now });
  const upkeep = new PushKeyUpkeep({ pool, clock: clock.now, log: testLog });
  const deps = { pool, clock: clock.now, ...push.push };
  const post = (player_id: number, device: PostedDevice) =>
    subscribe(deps, { brand, player_id, sid_hash: 'a session', isSignedIn }, device);
  return {
    ...push,
    here,
    there,
    upkeep,
    post,
    rotate: async (revoke = false) => {
      const made = await transaction(pool, (tx) => rotateKeys(tx, testVault, brand, { revoke }, clock.now()));
      here.forget(brand);
      return made;
    },
    /** Does what a page does: it gets a key from some process, subscribes with it and reports it. */
    subscribe: async (player_id: number, keys: BrandPushKeys = here) => {
      const public_key = await keys.of(brand);
      const device = service.device();
      const { fault } = await post(player_id, { ...device, public_key });
      return { fault, public_key, device, path: new URL(device.endpoint).pathname };
    },
    leave: (player_id: number, { endpoint }: PostedDevice) => unsubscribe(deps, { brand, player_id }, endpoint),
    /** Sends a message. @returns the key with which each device's push was signed */
    ring: async (player_id: number) => {
      const before = service.taken.length;
      const id = await message(player_id);
      await run();
      const signed = service.taken.slice(before).map(({ path, vapid }) => [path, vapid.key]);
      const states = (await push.deliveries(id)).map(({ state, reason }) => [state, reason]);
      return { signed: Object.fromEntries(signed) as Record<string, string>, states };
    },
    pairs: async () => {
      const pairs = await listPairs(pool, testVault, brand);
      return pairs.map(({ public_key, devices }) => [public_key, devices]);
    },
  };
}

/** Makes the pairs unreadable, as a change of CROUPIER_SECRET does. */
async function sealWithAnotherSecret({ brand }: Pick<PushSetup, 'brand'>): Promise<void> {
  const sealed = new Vault('a secret of before').seal(brand.code, { private_key: 'whatever' });
  await pool.query('update push_key set sealed = $2 where brand_id = $1', [brand.brand_id, sealed]);
}

test('after a rotation, devices keep the pair with which they subscribed; a device that returns moves, and the old pair is deleted', async () => {
  const { player, rotate, subscribe, leave, ring, pairs, here, there, brand, clock, upkeep, service } = await setup();
  const anna = await player(0);
  const old = await subscribe(anna);
  await there.of(brand);
  expect(await rotate()).toMatchObject({ devices_kept: 1, devices_dropped: 0 });
  const fresh = await subscribe(anna);
  expect(fresh.public_key).not.toBe(old.public_key);
  // For two seconds another process still returns the former key; the device reports which one it used.
  const late = await subscribe(anna, there);
  expect(late).toMatchObject({ public_key: old.public_key, fault: undefined });
  clock.advance(2_000_000);
  expect(await there.of(brand)).toEqual(await here.of(brand));

  const { signed, states } = await ring(anna);
  expect(signed).toEqual({
    [old.path]: old.public_key,
    [late.path]: old.public_key,
    [fresh.path]: fresh.public_key,
  });
  expect(states).toEqual(Array(3).fill(['sent', null]));
  expect(service.refused).toEqual([]);
  expect(await pairs()).toEqual([
    [fresh.public_key, 1],
    [old.public_key, 2],
  ]);

  // A page does this if its subscription uses another key (packages/browser, page/push/push.ts).
  for (const { device } of [old, late]) {
    await leave(anna, device);
    const back = await subscribe(anna);
    expect((await ring(anna)).signed[back.path]).toBe(fresh.public_key);
  }
  expect(await upkeep.runOnce()).toEqual({ devices: 0, pairs: 0 });
  clock.advance(hour);
  expect(await upkeep.runOnce()).toEqual({ devices: 0, pairs: 1 });
  expect(await pairs()).toEqual([[fresh.public_key, 3]]);
});

test('when a leaked key is revoked, its devices are dropped and counted immediately, in every process, and return with the new key', async () => {
  const { player, rotate, subscribe, ring, pairs, there, brand, clock, upkeep, message, deliveries } = await setup();
  const ben = await player(0);
  await subscribe(ben);
  await rotate();
  await subscribe(ben);
  await there.of(brand);
  const waiting = await message(ben);
  expect(await rotate(true)).toMatchObject({ devices_kept: 0, devices_dropped: 2 });
  expect((await subscribe(ben, there)).fault).toBe('key');
  expect((await ring(ben)).states).toEqual(Array(2).fill(['dropped', 'key_revoked']));
  expect((await deliveries(waiting)).map(({ reason }) => reason)).toEqual(Array(2).fill('key_revoked'));

  const queued = await message(ben);
  expect(await upkeep.runOnce()).toEqual({ devices: 2, pairs: 2 });
  expect((await deliveries(queued)).map(({ reason }) => reason)).toEqual(Array(2).fill('key_revoked'));
  clock.advance(2_000_000);
  const back = await subscribe(ben, there);
  expect((await ring(ben)).signed).toEqual({ [back.path]: back.public_key });
  expect(await pairs()).toEqual([[back.public_key, 1]]);
});

test('devices that subscribe while their pair is being revoked are refused or counted, never missed', async () => {
  const { player, rotate, subscribe } = await setup();
  const players = await Promise.all(Array.from({ length: 8 }, () => player(0)));
  await subscribe(players[0] ?? 0);
  const subscribing = players.map((one) => subscribe(one));
  const rotation = await rotate(true);
  const taken = (await Promise.all(subscribing)).filter(({ fault }) => fault === undefined);
  expect(rotation?.devices_dropped).toBe(
    1 + taken.filter(({ public_key }) => public_key !== rotation?.public_key).length,
  );
});

test('a rotation revokes a pair that can no longer be read, and push works again', async () => {
  const made = await setup();
  const { player, rotate, subscribe, ring, there, brand, pairs } = made;
  const cleo = await player(0);
  await subscribe(cleo);
  await sealWithAnotherSecret(made);
  expect((await ring(cleo)).states).toEqual([['failed', 'keys_unreadable']]);
  await expect(there.of(brand)).rejects.toThrow(Unreadable);
  await expect(made.addDevice(cleo)).resolves.toBeDefined();
  made.here.forget(brand);
  await expect(made.addDevice(cleo)).rejects.toThrow(Unreadable);
  expect((await listPairs(pool, testVault, brand)).map(({ readable }) => readable)).toEqual([false]);

  expect(await rotate()).toMatchObject({ devices_kept: 0, devices_dropped: 2 });
  const back = await subscribe(cleo, there);
  expect((await ring(cleo)).signed).toEqual({ [back.path]: back.public_key });
  await made.upkeep.runOnce();
  expect(await pairs()).toEqual([[back.public_key, 1]]);
});

test('if a front end does not name its key, a known endpoint keeps its pair, and a new one gets the current pair', async () => {
  const { player, rotate, subscribe, post, ring, here, brand, service } = await setup();
  const dora = await player(0);
  const old = await subscribe(dora);
  await rotate();
  const public_key = await here.of(brand);
  expect(await post(dora, old.device)).toMatchObject({ public_key: old.public_key });
  const device = service.device();
  expect(await post(dora, device)).toMatchObject({ public_key });
  const fresh = new URL(device.endpoint).pathname;
  expect((await ring(dora)).signed).toEqual({ [old.path]: old.public_key, [fresh]: public_key });
});

test('two concurrent rotations create two pairs, one of them current; at most ten former pairs are kept', async () => {
  const { player, rotate, subscribe, pairs } = await setup();
  const emil = await player(0);
  await subscribe(emil);
  await Promise.all([rotate(), rotate()]);
  expect(await pairs()).toHaveLength(3);
  while ((await pairs()).length <= maxFormerPairs) await rotate();
  expect(await rotate()).toBeNull();
  expect(await pairs()).toHaveLength(maxFormerPairs + 1);
  expect(await rotate(true)).toMatchObject({ devices_dropped: 1 });
});
