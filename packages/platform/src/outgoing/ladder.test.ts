import { describe, expect, test } from 'vitest';
import { Ladder, passing, pauseMs, waitOf } from './ladder.ts';

const ladder = new Ladder({ cut: [0, 1_000], down: passing }, { jitter: 0.2 });

describe('a ladder', () => {
  test('the n-th try takes the n-th wait, and later tries repeat the last one', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 100].map((tries) => ladder.delayMs('down', tries, { random: 0.5 }));
    expect(waits).toEqual([1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 900_000, 900_000]);
    expect(ladder.stepsOf('down')).toBe(6);
  });

  test('conditions with the same waits continue a sequence, and any other reason ends it', () => {
    const table = new Ladder({ down: passing, busy: passing, cut: [0, ...passing], refused: [0, 1_000] });
    const after = (reason: string | null, condition: 'down' | 'busy' | 'cut') =>
      table.triesAfter({ reason, tries: 3 }, condition);
    expect([after('down', 'busy'), after('busy', 'busy')]).toEqual([4, 4]);
    // Otherwise an endpoint that alternates between cut connections and being unreachable would be called every second, forever.
    expect([after('down', 'cut'), after('cut', 'down'), after('cut', 'cut')]).toEqual([4, 4, 4]);
    const others = ['refused', 'too_old', 'constructor', null];
    expect(others.map((before) => after(before, 'down'))).toEqual([1, 1, 1, 1]);
  });

  test('jitter makes a wait shorter or longer, and a wait of 0 stays 0', () => {
    expect(ladder.delayMs('down', 1, { random: 0 })).toBe(800);
    expect(ladder.delayMs('down', 1, { random: 0.999_999 })).toBe(1_200);
    expect(ladder.delayMs('cut', 1, { random: 0 })).toBe(0);
    expect(waitOf([10_000], 1, 0)).toBe(9_000);
  });

  test('Retry-After is a lower limit', () => {
    expect(ladder.delayMs('down', 1, { random: 0.5, retry_after_ms: 7_000 })).toBe(7_000);
    expect(ladder.delayMs('down', 3, { random: 0.5, retry_after_ms: 7_000 })).toBe(15_000);
    expect(ladder.delayMs('down', 1, { random: 0.5, retry_after_ms: null })).toBe(1_000);
  });
});

test('after "too many requests", an endpoint is paused for 1 second by default and for at most 1 minute', () => {
  expect([pauseMs(undefined), pauseMs(3_000), pauseMs(3_600_000)]).toEqual([1_000, 3_000, 60_000]);
});
