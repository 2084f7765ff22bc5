import { describe, expect, test } from 'vitest';
import { type HaltCounts, haltLimits, haltReason, proposedEntriesPerDay } from '../src/index.ts';

const quiet: HaltCounts = {
  ran: 100,
  failed: 0,
  asked: 100,
  withheld: 0,
  reached: 100,
  unsubscribed: 0,
  complained: 0,
  entered_in_a_day: 100,
};
const halts = (limits: Parameters<typeof haltReason>[0], counts: Partial<HaltCounts>) =>
  haltReason(limits, { ...quiet, ...counts });

describe('a campaign halts', () => {
  test.each([
    [
      'when more runs failed than the limit allows',
      { failed: 5 },
      { failed: 6 },
      '6 of 100 runs failed; the limit is 5 percent',
    ],
    ['not at the limit itself', { failed: 5 }, { failed: 5 }, null],
    ['not on failures if only other limits are set', { withheld: 5 }, { failed: 100 }, null],
    ['not before there are enough runs', { failed: 5 }, { ran: 49, failed: 49 }, null],
    [
      'after the smallest number of runs that its document states',
      { failed: 5, after: 3 },
      { ran: 3, failed: 1 },
      '1 of 3 runs failed; the limit is 5 percent',
    ],
    [
      'at the first failure if the limit is 0',
      { failed: 0 },
      { failed: 1 },
      '1 of 100 runs failed; the limit is 0 percent',
    ],
    [
      'when too much is withheld',
      { withheld: 50 },
      { withheld: 51 },
      '51 of 100 runs had an effect withheld; the limit is 50 percent',
    ],
    [
      'when too many report it as spam',
      { complained: 0.1 },
      { complained: 1 },
      '1 of 100 players reported a message as spam; the limit is 0.1 percent',
    ],
    ['not at exactly the limit of complaints', { complained: 1 }, { complained: 1 }, null],
    [
      'when too many players withdraw a consent',
      { unsubscribed: 1 },
      { unsubscribed: 2 },
      '2 of 100 players withdrew a consent; the limit is 1 percent',
    ],
    [
      'when more runs enter within a day than the limit',
      { entered_per_day: 99 },
      {},
      'more than 99 runs entered within a day; this is the limit',
    ],
    ['not when exactly as many runs enter', { entered_per_day: 100 }, {}, null],
  ])('%s', (_name, limits, counts, reason) => {
    expect(halts(limits, counts)).toBe(reason);
  });
});

test('a ramped campaign has limits for failures and withheld effects by default; any other has only the limits of its document', () => {
  expect(haltLimits({}, 10)).toEqual({ failed: 10, withheld: 90 });
  expect(haltLimits({}, 100)).toBeNull();
  expect(haltLimits({ halt: { withheld: 20 } }, 10)).toEqual({ failed: 10, withheld: 20 });
  expect(haltLimits({ halt: { failed: 30, withheld: 100 } }, 10)).toEqual({ failed: 30, withheld: 100 });
  expect(haltLimits({ halt: { withheld: 20 } }, 100)).toEqual({ withheld: 20 });
});

test.each([
  ['nothing', [], 50],
  ['few entries', [3, 20], 50],
  ['30 on the highest day', [10, 30, 20], 60],
  ['61', [61], 130],
  ['4,321', [4_321, 100], 8_700],
  ['an exact number of two digits', [5_000], 10_000],
])('a forecast of %s gives a limit of entries within a day', (_name, highs, limit) => {
  expect(proposedEntriesPerDay(highs.map((high) => ({ high })))).toBe(limit);
});
