import { reconciliationFields } from '@croupier/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueAfterFailure, nextRunAfter, shareOf } from './plan.ts';

const at = (text: string) => Date.parse(text) * 1_000;
const malta = { time_zone: 'Europe/Malta', from_hour: 2, until_hour: 5 };

describe('the next run', () => {
  test.each([
    ['this night', malta, 0.5, '2026-05-01T00:00:00Z', '2026-05-01T01:30:00Z'],
    ['exactly at its time: the next night', malta, 0.5, '2026-05-01T01:30:00Z', '2026-05-02T01:30:00Z'],
    ['by day: the next night', malta, 0.5, '2026-05-01T12:00:00Z', '2026-05-02T01:30:00Z'],
    ['in the night without that hour: an hour later', malta, 0.125, '2026-03-28T12:00:00Z', '2026-03-29T01:22:30Z'],
    ['in the night that has it twice: the first', malta, 0.125, '2026-10-24T12:00:00Z', '2026-10-25T00:22:30Z'],
    ['over midnight', { ...malta, from_hour: 23, until_hour: 1 }, 0.75, '2026-05-01T12:00:00Z', '2026-05-01T22:30:00Z'],
    ['at any time', { ...malta, from_hour: 6, until_hour: 6 }, 0.5, '2026-05-01T12:00:00Z', '2026-05-01T16:00:00Z'],
  ])('%s', (_name, plan, share, after, expected) => expect(nextRunAfter(at(after), plan, share)).toBe(at(expected)));

  test('is in the future, at most a day and a clock shift ahead, and stays the same until then', () => {
    const plan = fc.record({
      time_zone: fc.constantFrom('UTC', 'Europe/Malta', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe'),
      from_hour: fc.integer({ min: 0, max: 23 }),
      until_hour: fc.integer({ min: 0, max: 24 }),
    });
    const moment = fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') });
    fc.assert(
      fc.property(
        plan,
        moment,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (one, now, share, part) => {
          const next = nextRunAfter(now, one, share);
          expect(next).toBeGreaterThan(now);
          expect(next - now).toBeLessThanOrEqual(26 * 3_600_000_000);
          expect(nextRunAfter(now + Math.floor((next - now) * part), one, share)).toBe(next);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

test('nine fields of a brand have nine different times', () => {
  const shares = reconciliationFields.map((field) => shareOf('demo', field));
  expect(new Set(shares).size).toBe(9);
  expect(shares.every((share) => share >= 0 && share < 1)).toBe(true);
});

test('a failed run is repeated in the same night, up to three times', () => {
  const [now, night] = [at('2026-05-01T01:00:00Z'), at('2026-05-02T01:00:00Z')];
  const waits = [1, 2, 3, 4].map((failures) => (dueAfterFailure(now, failures, night) - now) / 60_000_000);
  expect(waits).toEqual([15, 60, 180, 1_440]);
  expect(dueAfterFailure(night - 1, 1, night)).toBe(night);
});
