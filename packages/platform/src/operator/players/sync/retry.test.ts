import { describe, expect, test } from 'vitest';
import { callFailures } from '../../calling/client/failures.ts';
import { answerFailures, type LookUpFailure } from '../../judging/judgment.ts';
import { longestWaitMs, maxParkedTries, nextTry } from './retry.ts';

/** Decides about failure number `attempts`, after `attempts - 1` failures of the same kind. */
const nth = (failure: LookUpFailure, attempts: number, options: Parameters<typeof nextTry>[2]) =>
  nextTry(failure, { attempts: attempts - 1, reason: failure, tries: attempts - 1 }, options);
const failures: LookUpFailure[] = [...callFailures, ...answerFailures, 'unknown_player'];
const seconds = (failure: LookUpFailure, tries: number) =>
  Array.from({ length: tries }, (_, n) => (nth(failure, n + 1, { random: 0.5 }).delay_ms ?? Number.NaN) / 1000);

describe('the retry table', () => {
  const ladders: [failure: LookUpFailure, waits: number[]][] = [
    ['timeout', [1, 5, 15, 60, 300, 900, 900]],
    ['unreachable', [1, 5, 15, 60, 300, 900, 900]],
    ['server_error', [1, 5, 15, 60, 300, 900, 900]],
    ['cut', [0, 1, 5, 15, 60, 300, 900, 900]],
    ['unauthorized', [30, 60, 300, 900, 900]],
    ['not_json', [5, 60, 600, 3600, 3600]],
    ['other_player', [5, 60, 600, 3600, 3600]],
    ['error_in_answer', [5, 60, 600, 3600, 3600]],
    ['unknown_player', [1, 5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600, 24 * 3600]],
  ];
  test.each(ladders)('%s', (failure, waits) => {
    expect(seconds(failure, waits.length)).toEqual(waits);
  });

  test('only an unknown player is parked; after the last try, the player waits for a new request', () => {
    expect(nth('unknown_player', 6, { random: 0.5 }).parked).toBe(false);
    expect(nth('unknown_player', 7, { random: 0.5 })).toMatchObject({ parked: true, to_background: true });
    expect(nth('unknown_player', 6 + maxParkedTries, { random: 0.5 }).delay_ms).not.toBeNull();
    expect(nth('unknown_player', 7 + maxParkedTries, { random: 0.5 })).toMatchObject({
      delay_ms: null,
      parked: true,
    });
    for (const failure of failures.filter((one) => one !== 'unknown_player')) {
      expect(nth(failure, 1_000, { random: 0.5 })).toMatchObject({ parked: false, delay_ms: expect.any(Number) });
    }
  });

  test('jitter spreads waits, and none exceeds the longest', () => {
    for (const failure of failures) {
      for (const random of [0, 0.999]) {
        for (let n = 1; n < 60; n++)
          expect(nth(failure, n, { random }).delay_ms ?? 0).toBeLessThanOrEqual(longestWaitMs);
      }
    }
    expect(nth('timeout', 2, { random: 0 }).delay_ms).toBe(4_500);
    expect(nth('timeout', 2, { random: 0.999 }).delay_ms).toBe(5_499);
  });

  test('Retry-After can only make a wait longer', () => {
    expect(nth('rate_limited', 1, { random: 0.5, retry_after_ms: 7_000 }).delay_ms).toBe(7_000);
    expect(nth('rate_limited', 4, { random: 0.5, retry_after_ms: 7_000 }).delay_ms).toBe(60_000);
  });

  test('a failure of another kind starts with its own first wait', () => {
    const before = { attempts: 5, reason: 'timeout', tries: 5 };
    expect(nextTry('unauthorized', before, { random: 0.5 })).toMatchObject({ tries: 1, delay_ms: 30_000 });
    expect(nextTry('server_error', before, { random: 0.5 })).toMatchObject({ tries: 6, delay_ms: 900_000 });
    // A player is parked after answers that the player is unknown, not after an outage.
    const outage = { attempts: 9, reason: 'timeout', tries: 9 };
    expect(nextTry('unknown_player', outage, { random: 0.5 })).toMatchObject({
      delay_ms: 1_000,
      parked: false,
      to_background: true,
    });
  });

  test('the first two tries stay in the lane of the event', () => {
    expect([1, 2, 3].map((n) => nth('timeout', n, { random: 0.5 }).to_background)).toEqual([false, false, true]);
  });
});
