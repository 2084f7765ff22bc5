import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import {
  type LiveProcess,
  type LiveSetup,
  openPusher,
  type Pusher,
  setupLive,
} from '../../../testing/site/live/setup-live.ts';
import { subscribeWithinMs } from './limits.ts';

/* Tests the unmodified public package pusher-js with two api processes. The test in a browser is pusher-js.e2e.test.ts. */
const database = await setupDatabase();

interface Tab {
  pusher: Pusher;
  socketId: string;
  /** Events of the channel so far: [name, data]. */
  events: [string, unknown][];
  /** Resolves when this many events have arrived. */
  until(count: number): Promise<void>;
  state(name: string): Promise<void>;
  /** The library's next event with this name. */
  channel(name: string): Promise<unknown>;
}

/** A page of the player that is subscribed. */
async function openTab(live: LiveSetup, process: LiveProcess, userId: string, sid = `sid-of-${userId}`): Promise<Tab> {
  const playerId = await live.player(userId);
  const pusher = openPusher(process, { brand: live.site.brand.code, sid });
  const events: [string, unknown][] = [];
  let onEvent: () => void = () => {};
  const channel = pusher.subscribe(live.channel(playerId));
  const subscribed = new Promise<void>((resolve, reject) => {
    channel.bind('pusher:subscription_succeeded', () => resolve());
    channel.bind('pusher:subscription_error', (error: unknown) => reject(new Error(JSON.stringify(error))));
  });
  channel.bind_global((name: string, data: unknown) => {
    if (name.startsWith('pusher:')) return;
    events.push([name, data]);
    onEvent();
  });
  await subscribed;
  return {
    pusher,
    events,
    socketId: pusher.connection.socket_id,
    async until(count) {
      while (events.length < count) {
        await new Promise<void>((resolve) => {
          onEvent = resolve;
        });
      }
    },
    channel: (name) => new Promise((resolve) => channel.bind(name, resolve)),
    state: (name) =>
      new Promise((resolve) => {
        if (pusher.connection.state === name) resolve();
        else pusher.connection.bind(name, () => resolve());
      }),
  };
}

test.each([
  ['with hints', {}],
  ['without hints', { hints: false, pollMs: 50 }],
])('two tabs at two api processes stay in sync, %s', async (_name, options) => {
  const live = await setupLive(database, options);
  const second = await live.another();
  const here = await openTab(live, live.first, 'anna');
  const there = await openTab(live, second, 'anna');
  const stranger = await openTab(live, second, 'ben');
  const anna = await live.player('anna');

  const [kept, read] = [await live.arrive(anna, 'Kept'), await live.arrive(anna, 'Read')];
  await live.tell([{ player_id: anna, kind: 'read', message_id: read }]);
  await live.tell([{ player_id: anna, kind: 'deleted', message_id: read }]);
  for (const tab of [here, there]) {
    await tab.until(4);
    expect(tab.events).toEqual([
      ['inbox', expect.objectContaining({ MessageId: kept, UserId: anna, Title: 'Kept', Message: '<b>Hello</b>' })],
      ['inbox', expect.objectContaining({ MessageId: read })],
      ['read', { MessageId: read, Unread: 2 }],
      ['deleted', { MessageId: read, Unread: 2 }],
    ]);
  }
  await live.arrive(await live.player('ben'), 'For Ben');
  await stranger.until(1);
  expect(stranger.events).toEqual([['inbox', expect.objectContaining({ Title: 'For Ben' })]]);
  expect(here.events).toHaveLength(4);
  expect(await second.registry.getSingleMetricAsString('croupier_site_sockets')).toContain('{state="subscribed"} 2');
  expect(await second.registry.getSingleMetricAsString('croupier_site_deliveries_total')).toContain(
    '{event="inbox"} 3',
  );
});

test('an excluded player: every tab at every process is notified and closed, and does not reconnect', async () => {
  const live = await setupLive(database);
  const second = await live.another();
  const tabs = [await openTab(live, live.first, 'anna'), await openTab(live, second, 'anna')];
  await live.tell([{ player_id: await live.player('anna'), kind: 'session_ended', message_id: null }]);
  for (const tab of tabs) {
    await tab.until(1);
    expect(tab.events).toEqual([['session_ended', {}]]);
    await tab.state('disconnected');
  }
});

test("a logout through the site API: the player's other sessions reconnect automatically, this one does not", async () => {
  const live = await setupLive(database);
  const second = await live.another();
  const here = await openTab(live, live.first, 'anna');
  live.site.signIn('anna', 'sid-of-a-phone');
  const phone = await openTab(live, second, 'anna', 'sid-of-a-phone');
  const refused = here.channel('pusher:subscription_error');
  const taken = phone.channel('pusher:subscription_succeeded');
  live.site.operator.books.signOut('sid-of-anna');
  expect(await live.first.post('/Crm/Logout', 'sid-of-anna')).toMatchObject({ status: 200 });
  await taken;
  expect(await refused).toMatchObject({ status: 401 });
  await live.arrive(await live.player('anna'), 'For the phone');
  await phone.until(1);
  expect(here.events).toEqual([]);
});

test('the sockets of a process that stops reconnect to other processes, and have missed nothing after loading the list', async () => {
  const live = await setupLive(database);
  const tab = await openTab(live, live.first, 'anna');
  const again = new Promise<void>((resolve) =>
    tab.pusher.channels.all()[0]?.bind('pusher:subscription_succeeded', resolve),
  );
  // The next process already shares the port, as all api processes of a machine do.
  const second = await live.another({ port: live.first.port });
  await live.first.stop();
  await again;
  expect(tab.pusher.connection.socket_id).not.toBe(tab.socketId);
  await live.arrive(await live.player('anna'), 'After the move');
  await tab.until(1);
  expect(second.live.sockets.counts.subscribed).toBe(1);
});

test('a page whose call for the proof failed temporarily has its channel within a minute, without reloading', async () => {
  let now = 0;
  const live = await setupLive(database, { now: () => now });
  const channel = live.channel(await live.player('anna'));
  const { operator, brand } = live.site;
  live.site.signIn('anna', 'sid-of-a-tablet');
  operator.dials.set('authenticate', { faults: [{ fault: 'status', status: 500 }] });
  const subscription = openPusher(live.first, { brand: brand.code, sid: 'sid-of-a-tablet' }).subscribe(channel);
  const hears = (name: string) => new Promise<unknown>((resolve) => subscription.bind(name, resolve));
  expect(await hears('pusher:subscription_error')).toMatchObject({ status: 503 });
  operator.dials.clear('authenticate');
  const subscribed = hears('pusher:subscription_succeeded');
  now += subscribeWithinMs + 1;
  live.first.live.sockets.sweep();
  await subscribed;
});

test('a wrong session gets an error and no channel', async () => {
  const live = await setupLive(database);
  const anna = await live.player('anna');
  const pusher = openPusher(live.first, { brand: live.site.brand.code, sid: 'no such sid' });
  const status = await new Promise((resolve) =>
    pusher
      .subscribe(live.channel(anna))
      .bind('pusher:subscription_error', (error: { status: number }) => resolve(error.status)),
  );
  expect(status).toBe(401);
  expect(live.first.live.sockets.counts).toEqual({ open: 1, subscribed: 0 });
});
