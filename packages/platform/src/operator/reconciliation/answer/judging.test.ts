import { describe, expect, test } from 'vitest';
import { noon } from '../../../../testing/clock.ts';
import { heldFor } from './hold.ts';
import { timeOfResult } from './result-time.ts';

const minute = 60_000_000;

describe('the time of a result', () => {
  const about = { asked_at: noon, now: noon + minute, zone: 'Europe/Malta', last: null };
  test.each([
    ['before the request', '2026-05-01T11:59:00Z', noon - minute],
    ['after the request: what happened in between may be missing', '2026-05-01T12:00:30Z', noon],
    ['by a clock that is 5 minutes ahead', '2026-05-01T12:06:00.000000Z', noon],
    ['with an offset', '2026-05-01T13:59:00+02:00', noon - minute],
    ["without one, in the brand's zone", '2026-05-01 13:59:00', noon - minute],
  ])('%s', (_name, written, as_of) => expect(timeOfResult(written, about).as_of).toBe(as_of));

  test.each([
    ['no timestamp', 'yesterday', 'bad_timestamp'],
    ['in the future', '2026-05-01T12:06:01Z', 'future_timestamp'],
    ['of last week', '2026-04-24T12:00:00Z', 'old_timestamp'],
  ])('refused: %s', (_name, written, reason) =>
    expect(() => timeOfResult(written, about)).toThrow(expect.objectContaining({ reason })),
  );

  test('is refused if it is earlier than that of the last result that was applied', () => {
    const last = noon - minute;
    expect(timeOfResult('2026-05-01T11:59:00Z', { ...about, last }).as_of).toBe(last);
    expect(() => timeOfResult('2026-05-01T11:58:59Z', { ...about, last })).toThrow(
      expect.objectContaining({ reason: 'old_timestamp' }),
    );
  });
});

test.each([
  [0, null, 'empty'],
  [0, 1_000, 'empty'],
  [0, 0, null],
  [1, null, null],
  [801, 1_000, null],
  [800, 1_000, 'shorter'],
  [2_000, 1_000, null],
  [1, 0, null],
])('a list of %i after one of %s: held for %s', (ids, before, expected) => expect(heldFor(ids, before)).toBe(expected));

test.each([
  [80, 20, null],
  [79, 21, 'first_withdraws'],
  [0, 1, 'first_withdraws'],
] as const)('a first list that keeps %i of those opted in and lacks %i: held for %s', (there, missing, expected) =>
  expect(heldFor(1_000, null, { opted_in: there + missing, missing })).toBe(expected),
);

test.each([
  // A few players, of whom some opted out.
  [1, 1_000, 1, null],
  [12, 1_000, 10, null],
  [12, 1_000, 11, 'withdraws'],
  [1_000, 1_000, 200, null],
  [1_000, 1_000, 201, 'withdraws'],
  // The platform knows more players than the last list had, and this list is as short as that one.
  [100_000, 1_000, 20_000, null],
  [100_000, 1_000, 99_000, 'withdraws'],
  [100, 0, 90, 'withdraws'],
] as const)(
  '%i players are opted in, the last list had %i, and this list lacks %i: held for %s',
  (opted_in, before, missing, expected) => expect(heldFor(1_000, before, { opted_in, missing })).toBe(expected),
);

test('a list of many players whom the platform does not know is held if it lacks the players that the platform knows', () => {
  expect(heldFor(95_000, 100_000, { opted_in: 1_000, missing: 1_000 })).toBe('withdraws');
});
