import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Underway } from './underway.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const lasting = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('finish waits for the current work, and no longer', async () => {
  const calls = new Underway<string>();
  calls.begin('a', lasting(30));
  calls.begin('b', lasting(50));
  const finished = calls.finish(5_000).then((left) => ({ left, at: Date.now() }));
  await vi.advanceTimersByTimeAsync(50);
  expect(await finished).toEqual({ left: [], at: 50 });
  expect(vi.getTimerCount()).toBe(0);
});

test('finish waits at most for the grace period and returns what is left, which continues', async () => {
  const calls = new Underway<string>();
  calls.begin('quick', lasting(30));
  calls.begin('slow', lasting(9_000));
  const finished = calls.finish(5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await finished).toEqual(['slow']);
  const idle = calls.idle().then(() => Date.now());
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await idle).toBe(9_000);
  expect(await calls.finish(0)).toEqual([]);
});
