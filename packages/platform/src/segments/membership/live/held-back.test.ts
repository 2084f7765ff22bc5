import { expect, test } from 'vitest';
import { HeldBackPlayers, longestWait, shortestWait } from './held-back.ts';

const second = 1_000_000;

test('the wait doubles with each failure, up to 5 minutes', () => {
  const held = new HeldBackPlayers();
  const waits: number[] = [];
  for (let at = 0, failures = 0; failures < 8; failures++) {
    held.hold(7, null, at);
    let wait = second;
    while (held.due(at + wait).length === 0) wait += second;
    waits.push(wait / second);
    at += wait;
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  expect(waits[0]).toBe(shortestWait / second);
  expect(waits.at(-1)).toBe(longestWait / second);
});

test('the wait ends if the clock steps back', () => {
  const held = new HeldBackPlayers();
  held.hold(7, null, 1_000 * second);
  expect(held.due(1_001 * second)).toEqual([]);
  expect(held.due(500 * second)).toEqual([7]);
});

test('players of buckets of another worker, and released players, are not held back', () => {
  const held = new HeldBackPlayers();
  for (const id of [64, 65, 66, 129]) held.hold(id, id === 66 ? 3 : null, 0);
  held.release(64);
  expect(held.of(3)).toEqual([66]);
  held.keepOnly(new Set([1]));
  expect(held.ids).toEqual([65, 129]);
});
