import { expect, test } from 'vitest';
import { type FeedMeasures, feedLimits, fewestShare, nextShare } from './feed-share.ts';

const free: FeedMeasures = { batch_ms: 0, loop_ms: 0, database_ms: 0 };

test.each([
  // share before, measures, share after, measure above its limit
  [1, free, 1, null],
  [0.5, free, 0.55, null],
  [0.98, free, 1, null],
  [0.1, { ...free, batch_ms: 75 }, 0.15, null],
  [0.5, { ...free, batch_ms: 76 }, 0.5, null],
  [0.5, { ...free, batch_ms: 100 }, 0.5, null],
  [0.5, { ...free, batch_ms: 101 }, 0.25, 'batch_ms'],
  [0.5, { ...free, loop_ms: 40 }, 0.5, null],
  [0.5, { ...free, loop_ms: 41 }, 0.25, 'loop_ms'],
  [0.5, { ...free, database_ms: 20 }, 0.5, null],
  [0.5, { ...free, database_ms: 21 }, 0.25, 'database_ms'],
  [1, { batch_ms: 10_000, loop_ms: 10_000, database_ms: 10_000 }, 0.5, 'database_ms'],
  [1, { batch_ms: 110, loop_ms: 20, database_ms: 100 }, 0.5, 'database_ms'],
  [0.15, { ...free, batch_ms: 10_000 }, fewestShare, 'batch_ms'],
  [fewestShare, { ...free, batch_ms: 10_000 }, fewestShare, 'batch_ms'],
] as const)('the share %s with %o becomes %s', (share, measures, expected, over) => {
  const next = nextShare(share, measures);
  expect(next.share).toBeCloseTo(expected, 10);
  expect(next.over).toBe(over);
});

test('if measures exceed a limit, the share falls to a tenth within a second, and recovers in five seconds', () => {
  const shares = (from: number, measures: FeedMeasures, times: number) => {
    let share = from;
    for (let time = 0; time < times; time++) share = nextShare(share, measures).share;
    return share;
  };
  const perSecond = 4;
  expect(shares(1, { ...free, batch_ms: feedLimits.batch_ms * 2 }, perSecond)).toBe(fewestShare);
  expect(shares(fewestShare, free, 5 * perSecond)).toBe(1);
});
