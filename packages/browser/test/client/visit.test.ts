import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createActions } from '../../src/page/client/actions.ts';
import { createModel } from '../../src/page/client/model.ts';
import { firstDemoId } from '../../src/page/client/store.ts';
import { startVisit } from '../../src/page/client/visit.ts';
import { message } from './message.ts';

/* A visit in situations that browser tests do not cover. The server is a function, and the page has only events. */
type Answer = { status?: number; data?: unknown; afterMs?: number };
const user = { UserId: 51, BrandId: 1, IsTestUser: false, SupportEmail: 'help@casino.example' };
const login = { Authentication: { IsAuthenticated: true, AuthToken: 'token' }, User: user };

class Socket {
  static last: Socket | undefined;
  onmessage: ((frame: { data: string }) => Promise<void>) | undefined;
  onclose: (() => void) | undefined;
  constructor() {
    Socket.last = this;
  }
  send() {}
  close() {}
  hear(event: string, data: object = {}) {
    return this.onmessage?.({ data: JSON.stringify({ event, data, channel: 'private-crm-1-51' }) });
  }
}

function setup(answerOf: (path: string, credential: string) => Answer | undefined) {
  const requested: string[] = [];
  // The tests check the bodies.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const sent: { path: string; body: any }[] = [];
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const listens = vi.spyOn(page, 'addEventListener');
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', page);
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('fetch', async (url: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
    const credential = headers.authtoken ?? '';
    requested.push(`${url} ${credential}`);
    const path = url.replace('https://crm.example/site/demo/', '');
    sent.push({ path, body: JSON.parse(body ?? 'null') });
    const answer = answerOf(path, credential) ?? { data: path === 'Platform/LoginAuthToken' ? login : [] };
    // The answer is computed at the time of the request, and delivered late.
    const reported = structuredClone(answer.data ?? null);
    await new Promise((resolve) => (answer.afterMs ? setTimeout(resolve, answer.afterMs) : resolve(null)));
    if (answer.status === 0) throw new TypeError('no answer');
    const Errors = answer.status ? [{ Error: 'session_ended', Message: 'No.', ErrorCodeID: 40103 }] : [];
    return Response.json({ Data: reported, Success: !answer.status, Errors }, { status: answer.status ?? 200 });
  });
  const reported: string[] = [];
  const model = createModel(() => {});
  const visit = startVisit({
    findRoot: async () => 'https://crm.example',
    brand: 'demo',
    sid: 'my-sid',
    model,
    withInbox: true,
    emit: () => {},
    fail: ({ code }) => reported.push(code),
  });
  return { requested, sent, reported, model, visit, page, listens };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a visit that ends immediately signs out at the platform's address, and makes no other request", async () => {
  const { visit, requested } = setup(() => undefined);
  visit.end();
  await Promise.all([visit.session.logout(), expect(visit.signedIn).rejects.toMatchObject({ code: 'ended' })]);
  expect(requested).toEqual(['https://crm.example/site/demo/Crm/Logout my-sid']);
});

test('while the server is unavailable, `init` does not wait for the first answer, and the visit retries with one listener', async () => {
  let isAway = true;
  const { visit, model, reported, listens, page } = setup(() => (isAway ? { status: 0 } : undefined));
  await vi.advanceTimersByTimeAsync(120_000);
  await expect(visit.stalled).resolves.toBe(false);
  expect([model.get().phase, reported]).toEqual(['offline', ['offline']]);
  expect(listens.mock.calls.filter(([event]) => event === 'online')).toHaveLength(1);
  isAway = false;
  page.dispatchEvent(new Event('online'));
  // A call may be open at this time. It is retried automatically after its own pause.
  await vi.advanceTimersByTimeAsync(5_000);
  await expect(visit.signedIn).resolves.toBe(true);
  visit.end();
});

test('a visit that ends while it waits for the network stops waiting', async () => {
  const { visit, model } = setup(() => ({ status: 0 }));
  const left = expect(visit.signedIn).rejects.toMatchObject({ code: 'ended' });
  // After a failure, it waits for at least half a second.
  while (model.get().phase !== 'offline') await vi.advanceTimersByTimeAsync(100);
  visit.end();
  await left;
  expect(model.get().phase).toBe('offline');
});

test('a visit that never signed in keeps the messages that the page showed in the meantime', async () => {
  const { visit, model } = setup(() => ({ status: 401 }));
  model.arrive(message(firstDemoId + 1, { Event: 'message' }), false);
  await expect(visit.signedIn).rejects.toMatchObject({ status: 401 });
  expect(model.get()).toMatchObject({ phase: 'signed_out', arrivals: { length: 1 } });
});

test.each([
  ['continues if the sid is valid', 200, 'ready', 1],
  ['ends if the sid is refused', 401, 'signed_out', 0],
  ['shows nothing while the sid cannot be checked', 503, 'offline', 0],
])('after one session of its player has ended, a visit %s', async (_, status, phase, shown) => {
  let isEnded = false;
  const { visit, model, reported } = setup((path, credential) => {
    if (isEnded && credential === 'my-sid' && status !== 200) return { status };
    return path.endsWith('inbox-only=true&limit=30') ? { data: [message(1, { DisplayType: 'push' })] } : undefined;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(model.get()).toMatchObject({ phase: 'ready', inbox: [{ MessageId: 1 }] });
  isEnded = true;
  await Socket.last?.hear('session_ended');
  await vi.advanceTimersByTimeAsync(5_000);
  // The contact address stays, because a refused player is the most likely to have questions.
  expect(model.get()).toMatchObject({ phase, inbox: { length: shown }, contactEmail: user.SupportEmail });
  expect(reported).toEqual(status === 200 ? [] : ['session_ended']);
  expect(visit.isOver()).toBe(status === 401);
  // Messages that were hidden temporarily are shown again, but not announced as new.
  isEnded = false;
  await Socket.last?.hear('pusher_internal:subscription_succeeded');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get()).toMatchObject({ inbox: { length: status === 401 ? 0 : 1 }, arrivals: [] });
  visit.end();
});

test('older messages are requested once at a time, and a failure is cleared by the next try', async () => {
  const page = (newest: number) => Array.from({ length: 30 }, (_, index) => message(newest - index));
  let isAway = true;
  const { visit, model, requested } = setup((path) => {
    if (path.includes('before=')) return isAway ? { status: 503 } : { data: page(70).slice(0, 2) };
    return path.includes('limit=') ? { data: page(100) } : path.includes('count') ? { data: 32 } : undefined;
  });
  const actions = createActions(model, () => visit.server);
  await vi.advanceTimersByTimeAsync(1_000);
  const press = async () => {
    actions.loadMore();
    actions.loadMore();
    expect(model.get().problem).toBeNull();
    await vi.advanceTimersByTimeAsync(5_000);
  };
  await press();
  // The list is still up to date.
  expect(model.get()).toMatchObject({ phase: 'ready', problem: 'load_failed', hasMore: true });
  isAway = false;
  requested.length = 0;
  await press();
  expect(model.get()).toMatchObject({ phase: 'ready', problem: null, hasMore: false, inbox: { length: 32 } });
  expect(requested.filter((one) => one.includes('before='))).toHaveLength(1);
  visit.end();
});

test.each([0, 429, 503])('a change that fails (%i) is reverted, without affecting the rest', async (status) => {
  let isAway = true;
  const { visit, model, reported } = setup((path) => {
    if (path.endsWith('MarkNotificationAsRead')) return isAway ? { status } : { data: true };
    return path.endsWith('inbox-only=true&limit=30') ? { data: [message(1)] } : undefined;
  });
  const actions = createActions(model, () => visit.server);
  await vi.advanceTimersByTimeAsync(500);
  await Socket.last?.hear('pusher_internal:subscription_succeeded');
  await vi.advanceTimersByTimeAsync(1_000);
  actions.open(1);
  expect(model.get()).toMatchObject({ phase: 'ready', unread: 0 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get()).toMatchObject({ phase: 'ready', unread: 1, problem: 'read_failed' });
  expect(reported).toHaveLength(1);
  isAway = false;
  actions.open(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get()).toMatchObject({ phase: 'ready', unread: 0, problem: null });
  visit.end();
});

test('one call marks all as read, including those that were not fetched; a refusal is reverted', async () => {
  let isAway = true;
  const { visit, model, requested } = setup((path) => {
    if (path.endsWith('MarkAllNotificationsAsRead')) return isAway ? { status: 503 } : { data: 2 };
    if (path.includes('count')) return { data: 32 };
    const page = Array.from({ length: 30 }, (_, index) => message(100 - index, { IsRead: index === 1 }));
    return path.endsWith('inbox-only=true&limit=30') ? { data: page } : undefined;
  });
  const actions = createActions(model, () => visit.server);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(model.get().unread).toBe(32);
  actions.readAll();
  expect(model.get()).toMatchObject({ unread: 3, inbox: { 0: { IsRead: true } } });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get()).toMatchObject({ unread: 32, problem: 'read_failed', inbox: { 0: { IsRead: false } } });
  isAway = false;
  requested.length = 0;
  actions.readAll();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get()).toMatchObject({ unread: 2, problem: null });
  expect(model.get().inbox.every(({ IsRead }) => IsRead)).toBe(true);
  expect(requested).toHaveLength(1);
  visit.end();
});

test('a failed call is shown even if all unread messages are on pages that are not loaded; the next try clears it', async () => {
  let isAway = true;
  const { visit, model } = setup((path) => {
    if (path.endsWith('MarkAllNotificationsAsRead')) return isAway ? { status: 503 } : { data: 0 };
    if (path.includes('count')) return { data: 2 };
    const page = Array.from({ length: 30 }, (_, index) => message(100 - index, { IsRead: true }));
    return path.endsWith('inbox-only=true&limit=30') ? { data: page } : undefined;
  });
  const actions = createActions(model, () => visit.server);
  await vi.advanceTimersByTimeAsync(1_000);
  actions.readAll();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get()).toMatchObject({ unread: 2, problem: 'read_failed' });
  isAway = false;
  actions.readAll();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get()).toMatchObject({ unread: 0, problem: null });
  visit.end();
});

test('a list that cannot be loaded is reported, and the next one clears it', async () => {
  let isAway = false;
  const { visit, model, page } = setup(() => (isAway ? { status: 503 } : undefined));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(model.get().phase).toBe('ready');
  isAway = true;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(model.get().phase).toBe('offline');
  isAway = false;
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get().phase).toBe('ready');
  visit.end();
});

test('a list that was requested before the network failed does not end `offline`; the next one does', async () => {
  let afterMs = 0;
  const { visit, model, page } = setup((path) => (path.includes('limit=') ? { data: [], afterMs } : undefined));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(model.get().phase).toBe('ready');
  afterMs = 500;
  await Socket.last?.hear('pusher_internal:subscription_succeeded');
  await vi.advanceTimersByTimeAsync(100);
  page.dispatchEvent(new Event('offline'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get().phase).toBe('offline');
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(model.get().phase).toBe('ready');
  visit.end();
});

describe('a list that is outdated when it arrives', () => {
  /** Sets up a server with 45 unread inbox messages, whose slow answers wait, and a page that has listed them. */
  const listed = async () => {
    const now = { ids: Array.from({ length: 45 }, (_, index) => 45 - index), read: new Set<number>(), slow: '' };
    const page = (ids: readonly number[]) => ids.slice(0, 30).map((id) => message(id, { IsRead: now.read.has(id) }));
    const server = setup((path) => {
      const data = path.includes('limit=')
        ? page(now.ids)
        : path.includes('count')
          ? now.ids.length - now.read.size
          : undefined;
      return {
        data: data ?? (path.includes('Login') ? login : []),
        ...(now.slow && path.includes(now.slow) && { afterMs: 2_000 }),
      };
    });
    await vi.advanceTimersByTimeAsync(500);
    await Socket.last?.hear('pusher_internal:subscription_succeeded');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.model.get()).toMatchObject({ phase: 'ready', unread: 45 });
    return { ...server, now };
  };

  test.each(['unread-count', 'limit=30'])(
    'because of a read (%s) does not count the message as unread again',
    async (slow) => {
      const { now, page, model, visit } = await listed();
      now.slow = slow;
      page.dispatchEvent(new Event('online'));
      await vi.advanceTimersByTimeAsync(1_000);
      now.read.add(44);
      await Socket.last?.hear('read', { MessageId: 44, Unread: 44 });
      expect(model.get().unread).toBe(44);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(model.get()).toMatchObject({ unread: 44, phase: 'ready' });
      visit.end();
    },
  );

  test('because of a new message does not lose that message', async () => {
    const { now, page, model, visit } = await listed();
    now.slow = 'limit=30';
    page.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(1_000);
    now.ids.unshift(46);
    await Socket.last?.hear('inbox', message(46));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(model.get()).toMatchObject({ unread: 46, inbox: { 0: { MessageId: 46 } } });
    visit.end();
  });

  test('several times in a row is accepted in the end', async () => {
    const { now, page, model, visit, requested } = await listed();
    now.slow = 'limit=30';
    requested.length = 0;
    page.dispatchEvent(new Event('online'));
    for (let id = 45; id > 25; id--) {
      now.read.add(id);
      await Socket.last?.hear('read', { MessageId: id });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(model.get()).toMatchObject({ unread: 25, phase: 'ready' });
    expect(requested.filter((one) => one.includes('limit=30'))).toHaveLength(3);
    visit.end();
  });
});

test('a modal is found behind any number of inbox messages', async () => {
  const { visit, model } = setup((path) => {
    const isWithoutInbox = path.includes('without-inbox=true');
    const inbox = Array.from({ length: 100 }, (_, index) => message(105 - index));
    if (path.includes('unread-only')) return { data: isWithoutInbox ? [message(1, { Event: 'message' })] : inbox };
    return path.includes('limit=') ? { data: inbox.slice(0, 30) } : path.includes('count') ? { data: 105 } : undefined;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(model.get()).toMatchObject({ unread: 105, arrivals: [{ MessageId: 1 }], inbox: { length: 30 } });
  visit.end();
});

describe('reports of what happens on the screen', () => {
  const modal = (id: number) => message(id, { Event: 'message', IsRead: false });
  /** Sets up a page with two modals. It stores what was reported, as [message, activity] of each call. */
  const begun = async (statusOf: () => number | undefined = () => undefined) => {
    const server = setup((path) => {
      if (path === 'Crm/MessageActivity') return { data: true, ...(statusOf() && { status: statusOf() as number }) };
      return path.includes('without-inbox') ? { data: [modal(2), modal(1)] } : undefined;
    });
    const actions = createActions(server.model, () => server.visit.server);
    await vi.advanceTimersByTimeAsync(1_000);
    const reported = () =>
      server.sent
        .filter(({ path }) => path === 'Crm/MessageActivity')
        .map(({ body }) =>
          body.Items.map((one: { MessageId: number; Activity: string }) => [one.MessageId, one.Activity]),
        );
    return { ...server, actions, reported };
  };

  test('closing a message does not mark it as read, and shown messages are reported in batches', async () => {
    const { visit, model, actions, reported, requested } = await begun();
    expect(model.get().arrivals).toHaveLength(2);
    actions.shown([1]);
    actions.shown([1, 2]);
    await vi.advanceTimersByTimeAsync(900);
    expect(reported()).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(reported()).toEqual([
      [
        [1, 'shown'],
        [2, 'shown'],
      ],
    ]);
    actions.close(1);
    expect(model.get().arrivals).toMatchObject([{ MessageId: 2 }]);
    await vi.advanceTimersByTimeAsync(10);
    expect(reported()).toEqual([expect.anything(), [[1, 'closed']]]);
    expect(requested.filter((one) => one.includes('MarkNotificationAsRead'))).toEqual([]);
    actions.follow(2);
    await vi.advanceTimersByTimeAsync(10);
    expect(reported().at(-1)).toEqual([[2, 'clicked']]);
    expect(requested.filter((one) => one.includes('MarkNotificationAsRead'))).toHaveLength(1);
    expect(model.get().arrivals).toEqual([]);
    visit.end();
  });

  test('a message that was closed in another tab is reported, and only once', async () => {
    const { visit, model, actions, reported } = await begun();
    await Socket.last?.hear('closed', { MessageId: 1, Unread: 0 });
    expect(model.get().arrivals).toMatchObject([{ MessageId: 2 }]);
    actions.close(2);
    actions.close(2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reported()).toEqual([[[2, 'closed']]]);
    visit.end();
  });

  test('are sent when the page is left, and again after a temporary failure', async () => {
    let status: number | undefined = 503;
    const { visit, page, actions, reported } = await begun(() => status);
    actions.shown([1]);
    page.dispatchEvent(new Event('pagehide'));
    await vi.advanceTimersByTimeAsync(10_000);
    const failed = reported().length;
    expect(failed).toBeGreaterThan(0);
    status = undefined;
    actions.close(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reported().slice(failed)).toEqual([
      [
        [1, 'shown'],
        [1, 'closed'],
      ],
    ]);
    visit.end();
  });

  test('are not sent for demo messages', async () => {
    const { visit, model, actions, reported } = await begun();
    model.arrive(message(firstDemoId + 1, { Event: 'message' }), false);
    actions.shown([firstDemoId + 1]);
    actions.close(firstDemoId + 1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([reported(), model.get().arrivals.length]).toEqual([[], 2]);
    visit.end();
  });
});
