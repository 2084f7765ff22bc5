import { describe, expect, test } from 'vitest';
import { quantile } from './quantile.ts';

describe('quantile', () => {
  const bounds = [100, 1_000, 10_000, Number.POSITIVE_INFINITY];

  test.each([
    { counts: [0, 0, 0, 0], q: 0.5, answer: null, why: 'nothing was counted' },
    { counts: [1, 0, 0, 0], q: 0.99, answer: 100, why: 'one entry is every quantile' },
    { counts: [99, 1, 0, 0], q: 0.99, answer: 100, why: '99 of 100 lie in the first bucket' },
    { counts: [98, 2, 0, 0], q: 0.99, answer: 1_000, why: 'the 99th of 100 lies in the second' },
    { counts: [5, 5, 0, 0], q: 0.5, answer: 100, why: 'the 5th of 10 is the median' },
    { counts: [0, 0, 0, 7], q: 0.5, answer: 10_000, why: 'beyond the last bound: at least that' },
    { counts: [3, 0, 0, 0], q: 0, answer: 100, why: 'the smallest' },
  ])('$why', ({ counts, q, answer }) => {
    expect(quantile(counts, bounds, q)).toBe(answer);
  });
});
