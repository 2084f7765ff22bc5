import { expect, test } from 'vitest';
import { restAfter } from './lane.ts';

test.each([
  [0, 25],
  [150, 25],
  [151, 151],
  [400, 400],
  [30_000, 400],
])('after a round of %d ms, the lane rests %d ms', (roundMs, restMs) => {
  expect(restAfter(roundMs)).toBe(restMs);
});
