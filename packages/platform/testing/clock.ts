import type { Micros } from '@croupier/contracts';
import type { Clock } from '../src/clock.ts';

/** A clock that only the test moves. */
export interface TestClock {
  now: Clock;
  set(at: Micros): void;
  advance(by: Micros): void;
}

/** 2026-05-01T12:00:00Z, a Friday at noon: far from the boundaries of days, months and daylight saving time. */
export const noon: Micros = Date.UTC(2026, 4, 1, 12) * 1000;

export function testClock(start: Micros = noon): TestClock {
  let at = start;
  return {
    now: () => at,
    set(to) {
      at = to;
    },
    advance(by) {
      at += by;
    },
  };
}
