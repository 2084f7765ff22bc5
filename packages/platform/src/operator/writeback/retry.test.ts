import { expect, test } from 'vitest';
import { maxRewrites, waitBeforeRewrite } from '../players/own-changes/rewrite.ts';
import { type WriteFailure, writeLadder } from './retry.ts';

const minutes = (ms: number) => ms / 60_000;
const middle = { random: 0.5 };

test.each<[WriteFailure, number[]]>([
  ['server_error', [1 / 60, 5 / 60, 15 / 60, 1, 5, 15, 15]],
  ['timeout', [1 / 60, 5 / 60, 15 / 60, 1, 5, 15, 15]],
  ['cut', [0, 1 / 60, 5 / 60, 15 / 60, 1, 5, 15, 15]],
  ['rejected', [60, 360, 1_440, 1_440]],
  ['unknown_player', [1, 10, 60, 360, 1_440, 1_440]],
  ['not_stored', [5 / 60, 1, 10, 60, 60]],
])('%s: the waits between tries grow, and the last one repeats', (failure, waits) => {
  expect(waits.map((_, n) => minutes(writeLadder.delayMs(failure, n + 1, middle)))).toEqual(waits);
});

test('waits vary by a tenth, and are never shorter than Retry-After', () => {
  expect([0, 0.999].map((random) => writeLadder.delayMs('server_error', 4, { random }))).toEqual([54_000, 65_988]);
  expect(writeLadder.delayMs('rate_limited', 1, { random: 0, retry_after_ms: 30_000 })).toBe(30_000);
});

test('a stored withdrawal that a look-up contradicts is written again after 1, 10, 60 and 360 minutes', () => {
  expect(Array.from({ length: maxRewrites }, (_, n) => minutes(waitBeforeRewrite(n, 0.5)))).toEqual([1, 10, 60, 360]);
});
