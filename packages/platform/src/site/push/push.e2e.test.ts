import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildScripts, defaultNames, nameLoader } from '@croupier/browser';
import type { CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { setupBrowser } from '../../../testing/browser/browser.ts';
import { makeReachable, testPush, writeMessage } from '../../../testing/channels/push/setup-push.ts';
import { startPushService } from '../../../testing/channels/push/setup-push-service.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { testLog } from '../../../testing/log.ts';
import { setupSite } from '../../../testing/site/setup-site.ts';
import { Vault } from '../../brands/index.ts';
import { PushSender, PushTransport, rotateKeys } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { ConsumedEvent } from '../../derive/index.ts';
import { Gate } from '../../gate/index.ts';
import { LogoutConsumer } from '../session/logout-consumer.ts';

/*
 * Tests push as a player uses it, in a real Chromium. The page of a casino has a strict policy, our script and API are on
 * another origin, and the casino hosts a service worker of one line. Only two things are simulated: the click and the
 * subscription. A real subscription would need Google's service. The push service of the tests provides one instead, and
 * decrypts for the device what the platform sends.
 */
const { pool, url } = await setupDatabase();
const browser = await setupBrowser({ push: true });
const service = await startPushService();

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

let site: Awaited<ReturnType<typeof setupSite>>;
const { loader, app, appFile, pushWorker } = await buildScripts();
const scripts = new Map([
  ['/loader/crm.js', nameLoader(loader, defaultNames)],
  [`/loader/${appFile}`, app],
  ['/loader/push-worker.js', pushWorker],
]);
const platform = await listen(async (request, response) => {
  const script = scripts.get(request.url ?? '');
  if (script !== undefined) return void response.setHeader('content-type', 'text/javascript').end(script);
  const payload = Buffer.concat(await request.toArray());
  const { method = 'GET', headers } = request;
  const answer = await site.app.inject({ method: method as 'GET', url: request.url ?? '', headers, payload });
  response.writeHead(answer.statusCode, answer.headers as Record<string, string>).end(answer.body);
});
/** The policy of the worker's file. It does not require trusted types, because `importScripts` takes a text. */
const workerPolicy = `default-src 'none'; script-src ${platform}; connect-src ${platform}`;
const policy = [
  `default-src 'none'; script-src 'self' ${platform}; connect-src ${platform} ${platform.replace('http', 'ws')}; worker-src 'self'; style-src 'self'; img-src *`,
  `require-trusted-types-for 'script'; trusted-types crm`,
].join('; ');
const pageScript = `
  window.crmbrand = new URLSearchParams(location.search).get('brand');
  window.sid = new URLSearchParams(location.search).get('sid');
  window.crm = { integrationVersion: '1.1', inbox: { enable: true } };
  addEventListener('load', () => document.querySelector('button').addEventListener('click', () => {
    Crm.enablePush().then((outcome) => { document.title = outcome; }, ({ code }) => { document.title = code; });
  }));`;
const casino = await listen((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://x');
  const worker = `importScripts('${platform}/loader/push-worker.js')`;
  const files: Record<string, [string, string]> = {
    '/': [
      'text/html',
      `<script src=/page.js></script><script async src=${platform}/loader/crm.js></script><button>Push</button>`,
    ],
    '/page.js': ['text/javascript', pageScript],
    '/crm-push-worker.js': ['text/javascript', worker],
  };
  const [type, body] = files[pathname] ?? ['text/plain', ''];
  response
    .writeHead(files[pathname] ? 200 : 404, {
      'content-type': type,
      'content-security-policy': pathname.endsWith('worker.js') ? workerPolicy : policy,
    })
    .end(body);
});

site = await setupSite({ pool, url }, {
  publicUrl: platform,
  settings: { site_origins: [casino], push: { private_origins: [service.origin] } },
} as object);
const { brand, clock } = site;
const now = clock.now;
const gate = new Gate({ clock: now, brands: { byId: () => brand } });
const sender = new PushSender({
  pool,
  gate,
  clock: now,
  log: testLog,
  ...testPush({ pool, clock: now }),
  transport: new PushTransport(),
  brands: { byId: () => brand },
  publicUrl: platform,
});
afterAll(async () => {
  await sender.stop();
  await service.stop();
});

/**
 * Simulates the push service's part of a subscription, in the page and in the worker. It accepts one key at a time, as browsers
 * do.
 */
function fakeSubscriptions({ device, key }: { device: unknown; key?: string | undefined }): void {
  const scope = globalThis as unknown as { PushManager: { prototype: Record<string, unknown> } };
  let subscribedWith = key;
  const subscription = {
    ...(device as object),
    toJSON: () => device,
    unsubscribe: async () => {
      subscribedWith = undefined;
      return true;
    },
  };
  Object.assign(scope.PushManager.prototype, {
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      subscribedWith ??= applicationServerKey;
      if (subscribedWith !== applicationServerKey) throw new DOMException('another key', 'InvalidStateError');
      return subscription;
    },
    getSubscription: async () => (subscribedWith === undefined ? null : subscription),
  });
}

const rotate = () => transaction(pool, (tx) => rotateKeys(tx, testVault, brand, { revoke: false }, now()));
const keysInUse = async () => {
  const { rows } = await pool.query<{ public_key: string }>(
    'select public_key from push_subscription join push_key using (key_id) where push_subscription.brand_id = $1',
    [brand.brand_id],
  );
  return rows.map(({ public_key }) => public_key);
};

async function start(page: Page, sid: string): Promise<void> {
  await page.goto(`${casino}/?brand=${brand.code}&sid=${sid}`);
  await page.waitForFunction('window.CrmLoader');
  await page.evaluate('new CrmLoader(); Crm.init()');
}

async function workerOf(page: Page): Promise<Worker> {
  const [worker] = page.context().serviceWorkers();
  return worker ?? page.context().waitForEvent('serviceworker');
}

/** Chromium's id of the worker's registration, with which it can be pushed to. */
async function registrationOf(cdp: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (one) resolve(one.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return found;
}

const owners = async () => {
  const { rows } = await pool.query<{ user_id: string }>(
    'select user_id from push_subscription join player using (player_id) where push_subscription.brand_id = $1',
    [brand.brand_id],
  );
  return rows.map(({ user_id }) => user_id);
};

test('a player subscribes with a click, sees a push, clicks it, signs out, and the next player takes the device over', async (context) => {
  const page = await browser.page(context);
  await page.context().grantPermissions(['notifications'], { origin: casino });
  const device = service.device();
  await page.addInitScript(fakeSubscriptions, { device });
  await start(page, site.signIn('anna'));
  await page.click('button');
  await expect.poll(() => page.title()).toBe('subscribed');
  expect(await owners()).toEqual(['anna']);

  const player_id = (await site.playerId('anna')) ?? 0;
  // Replaces the look-ups that a player's first call requests.
  await pool.query('delete from player_sync where player_id = $1', [player_id]);
  await makeReachable(pool, brand.brand_id, player_id, now());
  const link = 'https://games.example/spin';
  const to = { brand_id: brand.brand_id, player_id };
  const id = await writeMessage(pool, gate, to, now(), { cta_button_link: link });
  await sender.runOnce();
  await sender.idle();
  const payload = service.taken[0]?.payload;
  expect(payload).toMatchObject({ id, title: 'Free spins', link });

  const cdp = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(cdp);
  const worker = await workerOf(page);
  const present = () =>
    worker.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: { getNotifications(): Promise<Shown[]> } };
      interface Shown {
        title: string;
        body: string;
        tag: string;
      }
      return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
    });
  const push = (data: string) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin: `${casino}/`, registrationId, data });
  const notification = { title: 'Free spins', body: 'Twenty of them', tag: `crm-${id}` };
  // Our push is delivered twice, with pushes of other senders in between. Only one notification appears, and it is ours.
  for (const data of [JSON.stringify(payload), 'not ours', '{"title":"not ours"}', JSON.stringify(payload)])
    await push(data);
  await expect.poll(present).toEqual([notification]);

  const opened = await worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: { getNotifications(): Promise<unknown[]> };
      clients: { openWindow(url: string): Promise<unknown> };
      dispatchEvent(event: unknown): void;
      NotificationEvent: new (type: string, init: object) => unknown;
    };
    const [one] = await scope.registration.getNotifications();
    return new Promise<string>((resolve) => {
      scope.clients.openWindow = async (url) => resolve(url);
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification: one }));
    });
  });
  expect(opened).toBe(link);
  const readAt = async () =>
    (
      await pool.query(
        `select n.read_at is not null and n.clicked_at is not null and d.clicked_at is not null as read
           from notification n join push_delivery d using (message_id) where message_id = $1`,
        [id],
      )
    ).rows[0].read;
  await expect.poll(readAt).toBe(true);
  await expect.poll(present).toEqual([]);

  // The browser moves the device to another endpoint while no page is open.
  const moved = service.device();
  await worker.evaluate(fakeSubscriptions, { device: moved });
  await worker.evaluate('dispatchEvent(new Event("pushsubscriptionchange"))');
  const endpointHash = async () =>
    (await pool.query('select endpoint_hash from push_subscription where player_id = $1', [player_id])).rows[0]
      .endpoint_hash;
  await expect.poll(endpointHash).toEqual(createHash('sha256').update(moved.endpoint).digest());

  await page.evaluate('Crm.logout()');
  await expect.poll(owners).toEqual([]);
  const sid = site.signIn('ben');
  await page.evaluate(`window.sid = '${sid}'; Crm.init()`);
  await expect.poll(owners).toEqual(['ben']);

  // The brand gets another pair of keys: the next page view moves the device, without asking the player.
  const [key] = await keysInUse();
  const rotated = await rotate();
  expect(rotated).toMatchObject({ devices_kept: 1, devices_dropped: 0 });
  clock.advance(2_000_000);
  await page.addInitScript(fakeSubscriptions, { device, key });
  await page.addInitScript(`Notification.requestPermission = () => { document.title = 'asked'; }`);
  await start(page, site.signIn('ben'));
  await expect.poll(keysInUse).toEqual([rotated?.public_key]);
  expect(await page.title()).toBe('');
  expect(await page.evaluate('Crm.pushState()')).toBe('subscribed');
  expect(await page.evaluate('Crm.enablePush(false)')).toBe('unsubscribed');
  expect(await page.evaluate('Crm.pushState()')).toBe('unsubscribed');
  expect(await owners()).toEqual([]);
});

test('a player who refused is not prompted again, and no player is prompted without a click', async (context) => {
  const page = await browser.page(context);
  await start(page, site.signIn('carl'));
  const refused = await page.evaluate(`Crm.enablePush().catch(({ code }) => code)`);
  expect(['denied', 'needs_gesture']).toContain(refused);
  expect(await page.evaluate('Crm.pushState()')).toBe(refused === 'denied' ? 'denied' : 'unsubscribed');
  expect(page.context().serviceWorkers()).toEqual([]);
  expect(await owners()).toEqual([]);
});

test('a browser without a push service, as in a private window, reports a code', async (context) => {
  const page = await browser.page(context, { permissions: ['notifications'] });
  await start(page, site.signIn('nora'));
  expect(await page.evaluate('Crm.enablePush().catch(({ code }) => code)')).toBe('push_unavailable');
  expect(await owners()).toEqual([]);
});

test('tokens, endpoints and switches over HTTP: anything that is not the caller’s is refused in the envelope', async () => {
  const sid = site.signIn('dora');
  const state = await site.get('/Crm/Push', sid);
  expect(state.body).toMatchObject({ Success: true, Data: { Enabled: true } });
  expect(Buffer.from(state.body.Data.PublicKey, 'base64url')).toHaveLength(65);
  const refusal = (status: number, code: string) => ({ status, body: { Success: false, Errors: [{ Error: code }] } });
  const device = service.device();
  expect(await site.call('GET', '/Crm/Push')).toMatchObject(refusal(401, 'missing_session'));
  expect(await site.call('POST', '/Crm/PushSubscription', { body: { Subscription: device } })).toMatchObject(
    refusal(401, 'missing_session'),
  );
  const wrong = [
    {},
    { Subscription: { endpoint: device.endpoint } },
    { Subscription: { ...device, endpoint: 'https://10.0.0.1/x' } },
  ];
  for (const body of wrong)
    expect(await site.post('/Crm/PushSubscription', sid, body)).toMatchObject(refusal(400, 'invalid_request'));
  const ofAnotherKey = await site.post('/Crm/PushSubscription', sid, { Subscription: device, PublicKey: 'another' });
  expect(ofAnotherKey).toMatchObject(refusal(400, 'invalid_request'));
  const { body } = await site.post('/Crm/PushSubscription', sid, { Subscription: device });
  expect(body.Data).toMatchObject({ PublicKey: state.body.Data.PublicKey });
  const Token = body.Data.Token as string;

  const other = site.signIn('emil');
  await site.call('DELETE', '/Crm/PushSubscription', { as: other, body: { Endpoint: device.endpoint } });
  expect(await owners()).toEqual(['dora']);
  const clicked = (token: unknown) => site.call('POST', '/Crm/PushClicked', { body: { Token: token } });
  for (const token of [Token, '', '1.1.AAAAAAAAAAAAAAAAAAAAAA'])
    expect(await clicked(token)).toMatchObject(refusal(404, 'unknown_notification'));
  expect(await clicked(7)).toMatchObject(refusal(400, 'invalid_request'));
  const renewed = await site.call('POST', '/Crm/PushRenewed', { body: { Token: `${Token}A`, Subscription: device } });
  expect(renewed).toMatchObject(refusal(404, 'unknown_device'));
  await site.call('DELETE', '/Crm/PushSubscription', { as: sid, body: { Endpoint: device.endpoint } });
  expect(await owners()).toEqual([]);
});

test("a logout event of the operator removes the player's devices, unless the brand keeps them", async () => {
  const sid = site.signIn('fred');
  await site.post('/Crm/PushSubscription', sid, { Subscription: service.device() });
  const player_id = (await site.playerId('fred')) ?? 0;
  const { brand_id } = brand;
  const logout = async (ends_with_logout_event: boolean) => {
    const settings = { ...brand.settings, push: { ...brand.settings.push, ends_with_logout_event } };
    const consumer = new LogoutConsumer({ signals: { poke() {} }, brands: { byId: () => ({ ...brand, settings }) } });
    const event = { kind: 'logout', user_id: 'fred', timestamp: now() };
    const applied = { player_id, brand_id, user_id: 'fred', event, received_at: now(), verdict: 'applied' };
    await transaction(pool, (tx) => consumer.onBatch(tx, { applied: [applied as unknown as ConsumedEvent] }));
  };
  await logout(false);
  expect(await owners()).toEqual(['fred']);
  await logout(true);
  expect(await owners()).toEqual([]);
});

test('keys that cannot be read with the current secret: push is off for pages until a new pair is created', async () => {
  const sid = site.signIn('gina');
  const { brand_id, code } = brand;
  const sealed = new Vault('a secret of before').seal(code, { private_key: 'whatever' });
  await pool.query('update push_key set sealed = $2 where brand_id = $1', [brand_id, sealed]);
  clock.advance(2_000_000);
  expect((await site.get('/Crm/Push', sid)).body.Data).toEqual({ Enabled: false, PublicKey: '' });
  const post = () => site.post('/Crm/PushSubscription', sid, { Subscription: service.device() });
  expect(await post()).toMatchObject({ body: { Success: false, Errors: [{ Error: 'function_off' }] } });
  const rotated = await rotate();
  const Data = { Enabled: true, PublicKey: rotated?.public_key };
  expect((await site.get('/Crm/Push', sid)).body).toMatchObject({ Data });
  expect((await post()).body).toMatchObject({ Success: true, Data: { PublicKey: rotated?.public_key } });
});
