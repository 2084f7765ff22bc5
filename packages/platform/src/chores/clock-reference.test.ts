import { describe, expect, test } from 'vitest';
import { agreementOf, betterOf, databaseMsAt, referenceOf } from './clock-reference.ts';

describe('the agreement of two clocks', () => {
  test.each([
    [undefined, 'unknown'],
    [0, 'agrees'],
    [5_000, 'agrees'],
    [5_001, 'apart'],
    [-60_000, 'apart'],
    [60_001, 'wrong'],
    [-60_001, 'wrong'],
    [500 * 86_400_000, 'wrong'],
  ] as const)('%s ms apart: %s', (offsetMs, expected) => {
    expect(agreementOf(offsetMs)).toBe(expected);
  });
});

describe('the time of the database', () => {
  const exact = referenceOf(1_000_000, { sentMs: 100, answeredMs: 102 });

  test('is assumed to be the middle of the round trip, and carried forward', () => {
    expect(databaseMsAt(exact, 101)).toBe(1_000_000);
    expect(databaseMsAt(exact, 1_101)).toBe(1_001_000);
  });

  test('does not change with a slow answer that does not contradict it', () => {
    expect(betterOf(exact, referenceOf(1_001_150, { sentMs: 1_101, answeredMs: 1_501 }))).toBe(exact);
  });

  test('follows a more exact answer, and one that shows a step', () => {
    const better = referenceOf(1_001_000, { sentMs: 1_101, answeredMs: 1_102 });
    expect(betterOf(exact, better)).toBe(better);
    const stepped = referenceOf(500_000, { sentMs: 1_101, answeredMs: 1_501 });
    expect(betterOf(exact, stepped)).toBe(stepped);
  });
});
