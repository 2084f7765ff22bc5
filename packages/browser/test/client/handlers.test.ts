import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bridge, PageEvent } from '../../src/page/bridge.ts';
import type { Store } from '../../src/page/client/store.ts';
import { createCrm } from '../../src/page/crm.ts';
import { message } from './message.ts';

/*
 * Handlers of the page that change the player while they are notified of a message. The pending notifications and
 * drawings belonged to the former player, and must be dropped. Nothing is drawn in Node. So the tests check the state
 * from which the screen would be drawn.
 */
let screen: Store;
vi.mock('../../src/page/ui/mount.tsx', () => ({
  mountUi({ store }: { store: Store }) {
    screen = store;
    return () => {};
  },
}));
const onScreen = () => {
  const { arrivals, inbox, unread, phase } = screen.get();
  return [phase, [...arrivals, ...inbox].map(({ Title }) => Title), unread];
};

const anna = { id: 51, messages: [1, 2].map((id) => message(id, { Event: 'message', Title: `Anna ${id}` })) };
const annasInbox = [3, 4].map((id) => message(id, { DisplayType: 'push', Title: `Anna ${id}` }));
const bert = { id: 52, messages: [message(9, { UserId: 52, Event: 'message', Title: 'Bert' })] };

function setup() {
  const page = Object.assign(new EventTarget(), { hidden: false, body: {} });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', page);
  vi.stubGlobal(
    'WebSocket',
    class {
      close() {}
    },
  );
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const isAnna = headers.authtoken?.endsWith('anna');
    const { id, messages } = isAnna ? anna : bert;
    const of = (path: string) => url.includes(path);
    const Data = of('LoginAuthToken')
      ? {
          Authentication: { IsAuthenticated: true, AuthToken: `token-${isAnna ? 'anna' : 'bert'}` },
          User: { UserId: id, BrandId: 1, IsTestUser: false },
        }
      : of('unread-only')
        ? messages
        : of('inbox-only') && isAnna
          ? annasInbox
          : [];
    return Response.json({ Data, Success: true, Errors: [] });
  });
  const notifications: [PageEvent, unknown][] = [];
  const handlers: Partial<Record<PageEvent, () => void>> = {};
  const configured = {
    config: { integrationVersion: '1.1', inbox: { enable: true } },
    sid: 'sid-of-anna',
    brand: 'demo',
  };
  const crm = createCrm({
    root: 'https://crm.example',
    staging: false,
    configured: () => configured,
    nonce: '',
    names: { config: 'crm', api: 'Crm', sid: 'sid', brand: 'crmbrand' },
    policy: { createHTML: (html) => html, createScriptURL: (url) => url },
    emit(event, detail) {
      notifications.push([event, (detail as { Title?: string }).Title ?? detail]);
      handlers[event]?.();
    },
    fail: ({ code }) => notifications.push(['error', code]),
    hint: () => {},
    ready: () => {},
  } satisfies Bridge);
  return { crm, handlers, notifications, configured };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each(['message', 'unread'] as const)(
  '%s: the next player is notified of nothing that belongs to the former one',
  async (event) => {
    const { crm, handlers, notifications, configured } = setup();
    handlers[event] = () => {
      delete handlers[event];
      crm.logout();
      configured.sid = 'sid-of-bert';
      crm.init();
      notifications.length = 0;
    };
    crm.init();
    await vi.advanceTimersByTimeAsync(10_000);
    // The former player's count was reported to the page. So the page must also be told that the new player's count is
    // 0.
    expect(notifications).toEqual([
      ['unread', 0],
      ['message', 'Bert'],
    ]);
  },
);

test('a page that signs out in its handler of the unread count shows no messages', async () => {
  const { crm, handlers, notifications } = setup();
  handlers.unread = () => crm.logout();
  crm.init();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notifications).toEqual([
    ['unread', 2],
    ['unread', 0],
  ]);
  expect(onScreen()).toEqual(['idle', [], 0]);
});

test('a page that calls init in its handler of the unread count has one player', async () => {
  const { crm, handlers, notifications, configured } = setup();
  crm.init();
  await vi.advanceTimersByTimeAsync(10_000);
  handlers.unread = () => {
    configured.sid = 'sid-of-bert';
    crm.init();
  };
  notifications.length = 0;
  configured.sid = 'sid-of-nobody';
  crm.init();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notifications).toEqual([
    ['unread', 0],
    ['message', 'Bert'],
  ]);
  expect(onScreen()).toEqual(['ready', ['Bert'], 0]);
});
