import { describe, expect, test } from 'vitest';
import { answerInvalid, type QuarantineState } from './quarantine-policy.ts';

const minute = 60_000_000;

describe('the answer to an invalid event', () => {
  const cases: [string, QuarantineState, number, number, 'reject' | 'accept', 'refuse' | 'let_go'][] = [
    // why                                          state     tries  minutes since the first
    ['the first time', 'open', 1, 0, 'reject', 'refuse'],
    ['the first time, at a brand that accepts', 'open', 1, 0, 'accept', 'let_go'],
    ['again immediately', 'open', 2, 0, 'reject', 'refuse'],
    ['the ninth repeat', 'open', 10, 1, 'reject', 'refuse'],
    ['ten tries after the first', 'open', 11, 1, 'reject', 'let_go'],
    ['again just before 10 minutes', 'open', 2, 9.99, 'reject', 'refuse'],
    ['again after 10 minutes', 'open', 2, 10, 'reject', 'let_go'],
    ['once, counted late', 'open', 1, 11, 'reject', 'refuse'],
    ['after a person re-injected it', 'reinjected', 2, 0, 'reject', 'let_go'],
    ['after a person dismissed it', 'dismissed', 2, 0, 'reject', 'let_go'],
  ];
  test.each(cases)('%s', (_why, state, tries, minutes, onInvalid, expected) => {
    const first_at = 1_777_593_600_000_000;
    expect(answerInvalid({ quarantine_id: 1, state, tries, first_at }, onInvalid, first_at + minutes * minute)).toBe(
      expected,
    );
  });
});
