import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { callTimeoutMs, isSignedIn, setupPush, testPush } from '../../../testing/channels/push/setup-push.ts';
import { answer } from '../../../testing/channels/push/setup-push-service.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { acknowledgeUpdate } from '../../../testing/gate/pending-update.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { markRead } from '../index.ts';
import { dropAtLogout, protectPushes } from './drop.ts';
import { renew, subscribe, unsubscribe } from './index.ts';

const { pool } = await setupDatabase();
const setup = await setupPush(pool);
const { service, brand, clock, push, player, addDevice, devicesOf, message, run, deliveries } = setup;
const hour = 3_600_000_000;

const state = async (messageId: number) => (await deliveries(messageId)).map(({ state, reason }) => [state, reason]);
const transition = (player_id: number, kind: 'excluded' | 'blocked' | 'consent_withdrawn') => ({
  transition_id: 1,
  brand_id: brand.brand_id,
  player_id,
  kind,
  source: 'staff' as const,
  at: clock.now(),
  consent_type: kind === 'consent_withdrawn' ? 'PushNotification' : null,
});
const userIdOf = async (player_id: number) => {
  const { rows } = await pool.query<{ user_id: string }>('select user_id from player where player_id = $1', [
    player_id,
  ]);
  return rows[0]?.user_id ?? '';
};
const protect = (...transitions: ReturnType<typeof transition>[]) =>
  transaction(pool, (tx) => protectPushes(tx, transitions, clock.now()));

test('a message is pushed once to every device of its player: encrypted, signed, with a token for the click', async () => {
  const anna = await player(2);
  const expires_at = clock.now() + 2 * hour;
  const id = await message(anna, { expires_at, image_url: 'https://img.example/a.png' });
  const before = service.taken.length;
  await run();
  await run();
  const taken = service.taken.slice(before);
  expect(taken).toHaveLength(2);
  expect(new Set(taken.map(({ path }) => path)).size).toBe(2);
  const [first] = taken;
  expect(first?.payload).toMatchObject({
    id,
    title: 'Free spins',
    body: 'Twenty of them',
    link: 'https://casino.example/spin',
    image: 'https://img.example/a.png',
    base: `https://crm.example/site/${brand.code}`,
  });
  expect(first?.headers).toMatchObject({ ttl: '7200', topic: `crm-${id}`, urgency: 'normal' });
  const public_key = await push.keys.of(brand);
  expect(first?.vapid).toMatchObject({ key: public_key, sub: 'https://crm.example', aud: service.origin });
  expect(first?.vapid.lives_s).toBeLessThanOrEqual(86_400);
  const rows = await deliveries(id);
  expect(rows.map(({ state, attempts, status }) => [state, attempts, status])).toEqual(Array(2).fill(['sent', 1, 201]));
  const delivery = push.tokens.read('click', brand.brand_id, first?.payload.token ?? '');
  expect(rows.map(({ delivery_id }) => delivery_id)).toContain(delivery);
  expect(service.refused).toEqual([]);
});

test('stored keys and endpoints are sealed; processes that create the pair of keys at the same time share one', async () => {
  const fresh = await setupPush(pool);
  const processes = Array.from({ length: 4 }, () => testPush({ pool, clock: clock.now }).keys);
  const keys = await Promise.all(processes.map((one) => one.of(fresh.brand)));
  expect(new Set(keys).size).toBe(1);
  const made = await pool.query<{ sealed: Buffer }>(
    'select sealed from push_key where public_key = $1',
    keys.slice(0, 1),
  );
  expect(made.rows).toHaveLength(1);
  const { private_key } = push.vault.open(fresh.brand.code, made.rows[0]?.sealed ?? Buffer.alloc(0)) as {
    private_key: string;
  };
  const { rows } = await pool.query<{ sealed: Buffer }>(
    'select sealed from push_key union all select sealed from push_subscription',
  );
  const atRest = rows.map(({ sealed }) => sealed.toString('latin1')).join();
  expect(private_key).toMatch(/^[\w-]{43}$/);
  expect(atRest).not.toContain(private_key);
  expect(atRest).not.toContain(service.origin);
});

test('a push service keeps a message that never expires for at most a day; a message to a player without a device states this reason', async () => {
  const ben = await player(0);
  expect(await state(await message(ben))).toEqual([['dropped', 'no_device']]);
  await addDevice(ben);
  await message(ben);
  await run();
  expect(service.taken.at(-1)?.headers.ttl).toBe('86400');
});

test.each([
  [400, 'failed', 'invalid'],
  [401, 'failed', 'vapid_refused'],
  [403, 'failed', 'vapid_refused'],
  [413, 'failed', 'too_large'],
  [302, 'failed', 'redirected'],
  [404, 'failed', 'gone'],
  [410, 'failed', 'gone'],
])('a push that is answered with %d ends as %s (%s), and is not sent again', async (status, ends, reason) => {
  const id = await player(1);
  const before = service.taken.length;
  const messages = [await message(id), await message(id)] as const;
  await pool.query(`update push_delivery set due_at = now() + interval '1 hour' where message_id = $1`, [messages[1]]);
  service.answers.set(messages[0], [answer(status, { location: `${service.origin}/push/elsewhere` }, 'because')]);
  // The first push is sent alone, so that its outcome is known before the second one.
  await setup.sender.runOnce();
  await setup.sender.idle();
  await run();
  const isGone = reason === 'gone';
  expect(await state(messages[0])).toEqual([[ends, reason]]);
  expect((await deliveries(messages[0]))[0]).toMatchObject({ status, detail: 'because', attempts: 1 });
  expect(await state(messages[1])).toEqual([isGone ? ['dropped', 'gone'] : ['sent', null]]);
  expect(await devicesOf(id)).toBe(isGone ? 0 : 1);
  expect(service.taken.length - before).toBe(isGone ? 1 : 2);
});

test('a push that the service did not accept is repeated as the same message, at the time that the service asks for, until it expires', async () => {
  const id = await player(1);
  const later = await message(id);
  service.answers.set(later, [answer(429, { 'retry-after': '120' }), answer(503)]);
  await setup.sender.runOnce();
  await setup.sender.idle();
  const { rows } = await pool.query<{ wait: number }>(
    'select extract(epoch from due_at - now())::float8 as wait from push_delivery where message_id = $1',
    [later],
  );
  expect(rows[0]?.wait).toBeGreaterThan(110);
  expect(await state(later)).toEqual([['waiting', 'rate_limited']]);
  await run();
  expect(await state(later)).toEqual([['waiting', 'server_error']]);
  await run();
  expect(await state(later)).toEqual([['sent', null]]);
  expect(service.taken.slice(-3).map(({ headers }) => headers.topic)).toEqual(Array(3).fill(`crm-${later}`));

  const short = await message(id, { expires_at: clock.now() + 60_000_000 });
  service.answers.set(short, [answer(503, { 'retry-after': '90' })]);
  await run();
  expect(await state(short)).toEqual([['failed', 'server_error']]);
});

test('after a hold of the gate, the first failed call is followed by the shortest wait', async () => {
  const id = await message(await player(1));
  await pool.query(`update push_delivery set attempts = 6, reason = 'update_pending' where message_id = $1`, [id]);
  service.answers.set(id, [answer(503)]);
  await setup.sender.runOnce();
  await setup.sender.idle();
  const { rows } = await pool.query<{ wait: number }>(
    'select extract(epoch from due_at - now())::float8 as wait from push_delivery where message_id = $1',
    [id],
  );
  expect(rows[0]?.wait).toBeLessThan(3);
  await run();
  expect(await state(id)).toEqual([['sent', null]]);
});

test('at most once: a push that may have arrived is not repeated, after a timeout, a cut call or a dead worker', async () => {
  const id = await player(1);
  const [silent, cut, lost] = [await message(id), await message(id), await message(id)];
  service.answers.set(silent, [() => {}]);
  service.answers.set(cut, [(response) => response.destroy()]);
  const before = service.taken.length;
  await pool.query(
    `update push_delivery set state = 'sending', claim = nextval('outgoing_claim'), due_at = now() - interval '1 s' where message_id = $1`,
    [lost],
  );
  await run();
  expect(await state(silent)).toEqual([['unknown', 'timeout']]);
  expect(await state(cut)).toEqual([['unknown', 'cut']]);
  // Another process finds the delivery that the dead process left.
  const other = setup.another();
  expect((await other.runOnce()).lost).toBe(1);
  await run();
  expect(await state(lost)).toEqual([['unknown', 'lost']]);
  expect(service.taken.length - before).toBe(2);
  expect(callTimeoutMs).toBeLessThan(1_000);
});

test('a message that is read, deleted, withdrawn or expired in the meantime is not pushed', async () => {
  const id = await player(1);
  const ids = [await message(id), await message(id), await message(id)] as const;
  const expiring = await message(id, { expires_at: clock.now() + 2_000_000 });
  await transaction(pool, (tx) => markRead(tx, id, ids[0], clock.now()));
  await pool.query(`update notification set state = 'deleted' where message_id = $1`, [ids[1]]);
  await pool.query(`update notification set state = 'withdrawn' where message_id = $1`, [ids[2]]);
  clock.advance(3_000_000);
  const before = service.taken.length;
  await run();
  const states = await Promise.all([...ids, expiring].map(state));
  expect(states.flat()).toEqual([
    ['dropped', 'read'],
    ['dropped', 'deleted'],
    ['dropped', 'withdrawn'],
    ['dropped', 'expired'],
  ]);
  expect(service.taken.length).toBe(before);
});

test('P5, P8: the gate decides again right before the call: a consent, block or exclusion in the meantime counts; a block does not stop a service message', async () => {
  const [unwilling, blocked, excluded, aged] = [await player(), await player(), await player(), await player()];
  const withdrawn = await message(unwilling);
  const marketing = await message(blocked);
  const service_ = await message(blocked, { purpose: 'service' });
  const stopped = await message(excluded, { purpose: 'service' });
  const unsure = await message(aged);
  await pool.query(
    `update player_consent set opted_in = false where player_id = $1 and type_key = 'pushnotification'`,
    [unwilling],
  );
  await pool.query(`update player_profile set is_blocked = true where player_id = $1`, [blocked]);
  await pool.query(`update player_profile set is_excluded = true where player_id = $1`, [excluded]);
  await pool.query(`update player_sync set as_of = $2 where player_id = $1`, [
    aged,
    timestamptzText(clock.now() - 30 * 24 * hour),
  ]);
  await pool.query(`update player_consent set as_of = $2 where player_id = $1`, [
    aged,
    timestamptzText(clock.now() - 30 * 24 * hour),
  ]);
  await run();
  expect(await state(withdrawn)).toEqual([['dropped', 'no_consent']]);
  expect(await state(marketing)).toEqual([['dropped', 'blocked']]);
  expect(await state(service_)).toEqual([['sent', null]]);
  expect(await state(stopped)).toEqual([['dropped', 'excluded']]);
  expect(await state(unsure)).toEqual([['waiting', 'too_old']]);
});

test('P15: a push waits for an update that is acknowledged and not applied, even if its call has started', async () => {
  const id = await player(1);
  const userId = await userIdOf(id);
  const [claimed, begun] = [await message(id), await message(id)];
  const taken = service.taken.length;
  const applied = await acknowledgeUpdate(pool, brand.brand_id, userId);
  await run();
  expect(await state(claimed)).toEqual([['waiting', 'update_pending']]);
  await applied();

  // The update arrives after the decision that allowed it, between the commit and the call.
  let appliedLater = async () => {};
  const gate = setup.gateThat(async () => {
    appliedLater = await acknowledgeUpdate(pool, brand.brand_id, userId);
  });
  const sender = setup.another(callTimeoutMs, gate);
  await pool.query(`update push_delivery set due_at = now() where message_id = $1`, [begun]);
  await sender.runOnce();
  await sender.idle();
  expect(await state(begun)).toEqual([['waiting', 'not_sent']]);
  await run();
  expect(await state(begun)).toEqual([['waiting', 'update_pending']]);
  expect(service.taken.length).toBe(taken);
  await appliedLater();
  await run();
  expect([await state(claimed), await state(begun)]).toEqual([[['sent', null]], [['sent', null]]]);
});

test('the message and the device are checked again right before the call: they may change while the push waits for a connection', async () => {
  const id = await player(1);
  const changes: [string, (messageId: number) => Promise<unknown>][] = [
    [
      'withdrawn',
      (messageId) => pool.query(`update notification set state = 'withdrawn' where message_id = $1`, [messageId]),
    ],
    ['read', (messageId) => transaction(pool, (tx) => markRead(tx, id, messageId, clock.now()))],
    // Last, because the player has no device afterwards.
    ['unsubscribed', () => pool.query('delete from push_subscription where player_id = $1', [id])],
  ];
  const before = service.taken.length;
  for (const [reason, change] of changes) {
    // A new sender makes one call at a time, so no earlier push may be due.
    await pool.query(`update push_delivery set due_at = now() + interval '1 hour' where state = 'waiting'`);
    const messageId = await message(id);
    const sender = setup.another(
      callTimeoutMs,
      setup.gateThat(async () => void (await change(messageId))),
    );
    await sender.runOnce();
    await sender.idle();
    expect(await state(messageId), reason).toEqual([['waiting', 'not_sent']]);
    await run();
    expect(await state(messageId)).toEqual([['dropped', reason]]);
  }
  expect(service.taken.length).toBe(before);
});

test('an exclusion removes the devices; other protection makes waiting pushes due', async () => {
  const [excluded, blocked] = [await player(2), await player(1)];
  const gone = await message(excluded);
  const retained = await message(blocked);
  await pool.query(`update push_delivery set due_at = now() + interval '1 hour' where message_id = $1`, [retained]);
  expect(await protect(transition(excluded, 'excluded'), transition(blocked, 'blocked'))).toEqual({
    removed: 2,
    made_due: 1,
  });
  expect(await state(gone)).toEqual(Array(2).fill(['dropped', 'excluded']));
  expect([await devicesOf(excluded), await devicesOf(blocked)]).toEqual([0, 1]);
  const { rows } = await pool.query('select due_at <= now() as due from push_delivery where message_id = $1', [
    retained,
  ]);
  expect(rows).toEqual([{ due: true }]);
});

test('a device belongs to the player who signed in on it last, is removed with the session, and a player has at most ten', async () => {
  const [first, second] = [await player(0), await player(0)];
  const device = service.device();
  const deps = { pool, clock: clock.now, ...push };
  const bind = (player_id: number, sid_hash: string) =>
    subscribe(deps, { brand, player_id, sid_hash, isSignedIn }, device);
  await bind(first, 'one');
  const meant = await message(first);
  await bind(second, 'two');
  expect([await devicesOf(first), await devicesOf(second)]).toEqual([0, 1]);
  expect(await state(meant)).toEqual([['dropped', 'moved']]);

  // Neither the former player nor the end of another session can remove the device.
  await unsubscribe(deps, { brand, player_id: first }, device.endpoint);
  const logout = (player_id: number, sid_hash: string) =>
    transaction(pool, (tx) => dropAtLogout(tx, [{ player_id, sid_hash, at: clock.now() }]));
  expect(await logout(second, 'one')).toBe(0);
  expect(await logout(second, 'two')).toBe(1);
  await bind(second, 'three');
  await addDevice(second, 'four');
  expect(await logout(second, '')).toBe(2);

  for (let i = 0; i < 12; i++) {
    clock.advance(1_000);
    await addDevice(first);
  }
  expect(await devicesOf(first)).toBe(10);
  const erased = await player(0);
  await pool.query('update player set erased_at = now() where player_id = $1', [erased]);
  expect(await bind(erased, 'five')).toEqual({ fault: 'unknown' });
});

test('a new endpoint of the same device needs the token of the device', async () => {
  const id = await player(0);
  const [old, renewed] = [service.device(), service.device()];
  const deps = { pool, clock: clock.now, ...push };
  const { token = '' } = await subscribe(deps, { brand, player_id: id, sid_hash: 's', isSignedIn }, old);
  const other = await player(1);
  expect(await renew(deps, brand, push.tokens.write('click', brand.brand_id, 1), renewed)).toEqual({
    fault: 'unknown',
  });
  expect(await renew(deps, brand, token, { ...renewed, endpoint: 'https://10.0.0.1:99/x' })).toEqual({
    fault: 'endpoint',
  });
  expect(await renew(deps, brand, token, renewed)).toEqual({ token });
  await message(id);
  await run();
  expect(service.taken.map(({ path }) => path)).toContain(new URL(renewed.endpoint).pathname);
  await unsubscribe(deps, { brand, player_id: id }, renewed.endpoint);
  expect(await renew(deps, brand, token, old)).toEqual({ fault: 'unknown' });
  expect(await devicesOf(other)).toBe(1);
});

test('SSRF: an address that no administrator allowed is not called, regardless of what its name resolves to', async () => {
  const closed = await setupPush(pool, { private_origins: [] });
  const id = await closed.player(0);
  const deps = { pool, clock: clock.now, ...closed.push };
  const caller = { brand: closed.brand, player_id: id, sid_hash: 's', isSignedIn };
  const { keys, endpoint } = closed.service.device();
  expect(await subscribe(deps, caller, { endpoint, keys })).toEqual({ fault: 'endpoint' });
  const named = (host: string) => subscribe(deps, caller, { endpoint: `https://${host}/push`, keys });
  for (const host of ['127.0.0.1', '2130706433', '[::1]', '169.254.169.254', '10.0.0.1', '8.8.8.8'])
    expect(await named(host)).toEqual({ fault: 'endpoint' });
  expect((await named('localhost')).fault).toBeUndefined();
  const probing = await closed.message(id);
  await closed.run();
  expect((await closed.deliveries(probing)).map(({ state, reason }) => [state, reason])).toEqual([
    ['failed', 'private_address'],
  ]);
  expect(closed.service.taken).toEqual([]);
});

test('a push service that does not answer does not delay the others', async () => {
  const id = await player(1);
  const silent = service.device();
  await pool.query(
    `insert into push_subscription (brand_id, player_id, endpoint_hash, sealed, host, created_at, seen_at, key_id)
     select $1, $2, sha256(n::text::bytea), $3, 'silent-' || n || '.example', now(), now(),
            (select key_id from push_key where brand_id = $1) from generate_series(1, 9) n`,
    [brand.brand_id, id, push.vault.seal(brand.code, { endpoint: silent.endpoint, ...silent.keys })],
  );
  const both = await message(id);
  const held: ServerResponse[] = [];
  const waiting = Array.from({ length: 9 }, () => (response: ServerResponse) => void held.push(response));
  // The nine other devices get no answer. The player's own device is called last, and gets one.
  service.answers.set(both, waiting);
  const own = [both, new URL(service.origin).host];
  await pool.query(
    `update push_delivery set due_at = now() + interval '1 hour' where message_id = $1 and host = $2`,
    own,
  );
  const sender = setup.another(60_000);
  await sender.runOnce();
  await expect.poll(() => waiting.length, { interval: 5 }).toBe(0);
  await pool.query('update push_delivery set due_at = now() where message_id = $1 and host = $2', own);
  await sender.runOnce();
  await expect.poll(async () => (await state(both)).filter(([one]) => one === 'sent').length, { interval: 5 }).toBe(1);
  expect((await state(both)).filter(([one]) => one === 'sending')).toHaveLength(9);
  for (const response of held) answer(201)(response);
  await sender.idle();
  expect(await state(both)).toEqual(Array(10).fill(['sent', null]));
});

/** Creates deliveries to hosts whose device no longer exists. They end without a call when they are claimed. */
const strayRows = (hosts: readonly string[], due: string) =>
  pool.query(
    `insert into push_delivery (brand_id, player_id, message_id, subscription_id, host, state, created_at, expires_at, due_at)
     select $1, 0, -1, -nextval('outgoing_claim'), host, 'waiting', now(), 'infinity', now() + $3::interval
       from unnest($2::text[]) host`,
    [brand.brand_id, hosts, due],
  );

test('deliveries that are due in an hour take no slots, and a host that got none is first the next time', async () => {
  const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${10 + i}.example`);
  await strayRows(numbered('0dead', 20), '1 hour');
  const id = await message(await player(1));
  const sender = setup.another();
  await sender.runOnce();
  await sender.idle();
  expect(await state(id)).toEqual([['sent', null]]);

  const crowd = numbered('1crowd', 17);
  await strayRows([...crowd, ...crowd, ...crowd], '0');
  for (let round = 0; round < 2; round++) {
    await sender.runOnce();
    await sender.idle();
  }
  const { rows } = await pool.query(
    `select count(*)::int as ended from push_delivery where host = '1crowd26.example' and state = 'dropped'`,
  );
  expect(rows).toEqual([{ ended: 1 }]);
  await pool.query('delete from push_delivery where message_id = -1');
});
