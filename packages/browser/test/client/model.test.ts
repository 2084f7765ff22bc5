import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { request } from '../../src/page/client/http.ts';
import { createModel, maxInbox } from '../../src/page/client/model.ts';
import { firstDemoId } from '../../src/page/client/store.ts';
import { message } from './message.ts';

const demo = firstDemoId + 1;

const noon = Date.parse('2026-03-02T12:00:00Z');
beforeEach(() => {
  vi.useFakeTimers({ now: noon });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Simulates an answer of a server whose clock differs from the page's by this many milliseconds. */
async function setServerClock(differenceMs: number): Promise<void> {
  vi.stubGlobal('fetch', async () =>
    Response.json({ Success: true }, { headers: { date: new Date(noon + differenceMs).toUTCString() } }),
  );
  await request('https://crm.example', { method: 'GET', credential: '' });
  vi.unstubAllGlobals();
}

function setup(ids: readonly number[] = [], unread: number | null = null) {
  const counts: number[] = [];
  const model = createModel((count) => counts.push(count));
  model.clear('loading');
  const page = ids.map((id) => message(id));
  model.list(page, unread);
  const shown = () => model.get().inbox.map(({ MessageId, IsRead }) => (IsRead ? -MessageId : MessageId));
  return { model, counts, shown };
}

describe('actions of the player', () => {
  test('are shown immediately and stay when the server confirms them', async () => {
    const { model, shown, counts } = setup([3, 2, 1]);
    await Promise.resolve();
    expect(model.begin(2, 'read')).toBe(true);
    await Promise.resolve();
    expect(model.begin(3, 'delete')).toBe(true);
    expect([shown(), model.get().unread]).toEqual([[-2, 1], 1]);
    model.apply(2, 'read');
    model.apply(3, 'delete');
    expect([shown(), model.get().unread]).toEqual([[-2, 1], 1]);
    await Promise.resolve();
    expect(counts).toEqual([3, 2, 1]);
  });

  test('are reverted, with a notice, if the server refuses them', () => {
    const { model, shown } = setup([3, 2, 1]);
    model.begin(2, 'delete');
    model.takeBack(2, 'delete');
    expect([shown(), model.get().unread, model.get().problem]).toEqual([[3, 2, 1], 3, 'delete_failed']);
    model.begin(1, 'read');
    expect(model.get().problem).toBeNull();
    model.takeBack(1, 'read');
    expect([shown(), model.get().problem]).toEqual([[3, 2, 1], 'read_failed']);
  });

  test('a message that can still be restored is neither counted nor announced, and disappears with its deletion', () => {
    const { model, shown } = setup([3, 2, 1]);
    model.arrive(message(4, { DisplayType: 'push' }), true);
    model.show({ removed: [4, 2] });
    expect([shown(), model.get().unread, model.get().arrivals]).toEqual([[4, 3, 2, 1], 2, []]);
    model.show({ removed: [4] });
    expect(model.get().unread).toBe(3);
    model.begin(4, 'delete');
    expect([shown(), model.get().removed, model.get().unread]).toEqual([[3, 2, 1], [], 3]);
    // The entry is back if the server refuses.
    model.takeBack(4, 'delete');
    expect([shown(), model.get().unread]).toEqual([[4, 3, 2, 1], 4]);
  });

  test('are sent to the server once', () => {
    const { model } = setup([1]);
    expect([model.begin(1, 'read'), model.begin(1, 'read'), model.begin(9, 'read')]).toEqual([true, false, false]);
    model.apply(1, 'read');
    expect(model.begin(1, 'read')).toBe(false);
  });

  test('a read that is confirmed after a delete does not restore the message', () => {
    const { model, shown } = setup([2, 1]);
    model.begin(2, 'read');
    model.begin(2, 'delete');
    model.apply(2, 'read');
    expect([shown(), model.get().unread]).toEqual([[1], 1]);
    model.apply(2, 'delete');
    expect([shown(), model.get().unread]).toEqual([[1], 1]);
  });
});

describe('answers that arrive out of order', () => {
  test('an older list makes nothing unread or visible again', () => {
    const { model, shown } = setup([3, 2, 1]);
    model.apply(3, 'delete');
    model.apply(2, 'read');
    model.list([message(3), message(2), message(1)], null);
    expect([shown(), model.get().unread]).toEqual([[-2, 1], 1]);
    expect(model.arrive(message(3), true)).toBe(false);
  });

  test("the server's count is kept, whichever answer brings it first", () => {
    const { model } = setup([3, 2, 1], 40);
    model.begin(3, 'read');
    expect(model.get().unread).toBe(39);
    model.apply(3, 'read', 39);
    model.apply(3, 'read');
    expect(model.get().unread).toBe(39);
    model.apply(700, 'read', 38);
    expect(model.get().unread).toBe(38);
  });

  test('a message is announced once, by the socket, a list, or both', () => {
    const { model, shown } = setup([1]);
    const modal = message(5, { Event: 'message' });
    expect([model.arrive(modal, false), model.arrive(modal, false)]).toEqual([true, false]);
    expect(model.arrive(message(4), true)).toBe(true);
    model.list([message(4), message(1)], null);
    expect(model.arrive(message(4), true)).toBe(false);
    expect([shown(), model.get().unread, model.get().arrivals]).toEqual([[4, 1], 2, [modal]]);
  });
});

test('a late announcement of a message on a page that is not loaded yet changes neither the count nor the next page', () => {
  const { model, shown } = setup([9, 8], 4);
  expect(model.arrive(message(3), true)).toBe(false);
  expect([shown(), model.get().unread]).toEqual([[9, 8], 4]);
  model.continue([message(7), message(3)], false);
  expect([shown(), model.get().unread]).toEqual([[9, 8, 7, 3], 4]);
});

describe('announcements', () => {
  test('wait in the order of arrival, and disappear when they are read anywhere', () => {
    const { model } = setup();
    for (const id of [1, 2, 3]) model.arrive(message(id, { Event: id === 2 ? 'shoutout' : 'message' }), false);
    const waiting = () => model.get().arrivals.map(({ MessageId }) => MessageId);
    expect(waiting()).toEqual([1, 2, 3]);
    model.begin(1, 'read');
    model.apply(3, 'read', 0);
    expect(waiting()).toEqual([2]);
  });

  test('for an inbox message are a hint, if its display type is push', () => {
    const { model } = setup();
    model.arrive(message(1, { DisplayType: 'silent' }), true);
    model.arrive(message(2, { DisplayType: 'push' }), true);
    expect(model.get().arrivals.map(({ MessageId }) => MessageId)).toEqual([2]);
    expect(model.get().unread).toBe(2);
  });
});

describe('pages', () => {
  test('older pages stay when the newest is fetched again, without duplicates', () => {
    const { model, shown } = setup([9, 8, 7], 9);
    expect(model.get().hasMore).toBe(true);
    model.continue([message(7), message(6), message(5)], false);
    expect([shown(), model.get().hasMore]).toEqual([[9, 8, 7, 6, 5], false]);
    model.list([message(10), message(9), message(8)], 9);
    expect([shown(), model.get().hasMore]).toEqual([[10, 9, 8, 7, 6, 5], false]);
    model.list([message(10)], null);
    expect(shown()).toEqual([10]);
  });

  test('a message that was announced before the first list hides none of the messages between', () => {
    const { model, shown } = setup([], 0);
    model.clear('loading');
    model.arrive(message(2), true);
    model.list([message(9), message(8)], 9);
    expect([shown(), model.get().hasMore, model.get().unread]).toEqual([[9, 8], true, 9]);
    model.continue([message(7), message(2)], true);
    expect(shown()).toEqual([9, 8, 7, 2]);
  });

  test('older pages are loaded again if more messages arrived meanwhile than the newest page contains', () => {
    const { model, shown } = setup([5, 4], 5);
    model.continue([message(3), message(2)], true);
    model.arrive(message(9), true);
    model.list([message(9), message(8)], 9);
    expect([shown(), model.get().hasMore]).toEqual([[9, 8], true]);
    model.continue([message(7), message(6)], true);
    expect([shown(), model.get().hasMore]).toEqual([[9, 8, 7, 6], true]);
  });

  test('are limited in memory', () => {
    const { model } = setup([], 0);
    const all = Array.from({ length: maxInbox + 50 }, (_, index) => message(10_000 - index));
    model.list(all, 5_000);
    expect(model.get().inbox).toHaveLength(maxInbox);
    expect(model.get().unread).toBe(5_000);
  });
});

test("messages disappear when they expire by the server's clock, even open ones", async () => {
  await setServerClock(0);
  const { model, shown } = setup();
  model.list([message(2, { Expires: '2026-03-02 12:00:10' }), message(1, { Expires: '' })], null);
  model.arrive(message(3, { Event: 'message', Expires: '2026-03-02 12:00:05' }), false);
  model.show({ inboxOpen: true, openId: 2 });
  vi.advanceTimersByTime(5_000);
  expect([model.get().arrivals, model.get().openId]).toEqual([[], 2]);
  vi.advanceTimersByTime(5_000);
  expect([shown(), model.get().openId, model.get().unread]).toEqual([[1], null, 1]);
  vi.advanceTimersByTime(100 * 86_400_000);
  expect(shown()).toEqual([1]);
});

test("a player's clock that is wrong by days loses no message", async () => {
  await setServerClock(-2 * 86_400_000);
  const { model, shown } = setup();
  model.list([message(1, { Expires: '2026-02-28 12:00:10' })], null);
  vi.advanceTimersByTime(9_000);
  expect(shown()).toEqual([1]);
  vi.advanceTimersByTime(1_000);
  expect(shown()).toEqual([]);
});

test('nothing of the former player remains, and nothing that the page showed them', () => {
  const { model, shown } = setup([2, 1]);
  model.arrive(message(3, { Event: 'message' }), false);
  model.arrive(message(demo), true);
  model.arrive(message(demo + 1, { Event: 'shoutout' }), false);
  model.begin(2, 'delete');
  expect([shown(), model.get().unread]).toEqual([[demo, 1], 2]);
  // The server is not called for messages that the page created.
  expect(model.begin(demo, 'delete')).toBe(false);
  model.arrive(message(demo + 2), true);
  expect(shown()).toEqual([demo + 2, 1]);
  model.clear('idle');
  expect(model.get()).toMatchObject({ phase: 'idle', unread: 0, arrivals: [], inbox: [], inboxOpen: false });
});
