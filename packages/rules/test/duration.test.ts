import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readDuration } from '../src/duration.ts';

test.each([
  ['PT1M', 60],
  ['P1W2DT3H4M5S', ((9 * 24 + 3) * 60 + 4) * 60 + 5],
  ['P9999W9999DT999999H999999M99999999S', ((9999 * 8 * 24 + 999_999) * 60 + 999_999) * 60 + 99_999_999],
])('%s is read', (text, seconds) => {
  expect(readDuration(text)).toBe(seconds * 1_000_000);
});

test.each(['', 'P', 'PT', 'P1M', 'P1Y', 'P-1D', ' P1D', 'P1D ', 'p1d', `P${'0'.repeat(50)}1D`])(
  '%j is none',
  (text) => {
    expect(readDuration(text)).toBeUndefined();
  },
);

test('texts that are not durations are not cached', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapMegabytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const before = heapMegabytes();
  for (let n = 0; n < 200; n++) readDuration(`P${n}${'x'.repeat(1_000_000)}`);
  expect(heapMegabytes() - before).toBeLessThan(50);
});
