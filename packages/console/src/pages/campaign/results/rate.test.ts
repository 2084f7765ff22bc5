import { expect, test } from 'vitest';
import { type OutcomeCounts, outcomeNames } from './outcome-players.tsx';
import { rateOf } from './rate.ts';

const counts = (some: Partial<OutcomeCounts>) => ({
  ...(Object.fromEntries(outcomeNames.map((name) => [name, 0])) as OutcomeCounts),
  ...some,
});
const effects = (step: string, some: Partial<OutcomeCounts>, version = 1) => ({ ...counts(some), step, version });

test('outcomes of runs, and of effects at one step, are shares of the entered runs', () => {
  const total = counts({ entered: 100, goal_reached: 20, sent: 90, failed: 5 });
  const rows = [effects('hello', { sent: 50 }, 2), effects('hello', { sent: 40 })];
  expect(rateOf('goal_reached', total, rows)).toEqual({ of: 'entered', share: 0.2 });
  expect(rateOf('sent', total, rows)).toEqual({ of: 'entered', share: 0.9 });
  expect(rateOf('failed', total, rows)).toEqual({ of: 'entered', share: 0.05 });
});

test('reports about messages are shares of the sent messages', () => {
  const total = counts({ entered: 100, sent: 200, opened: 50, bounced: 1 });
  const rows = [effects('hello', { sent: 200, opened: 50, bounced: 1 })];
  expect(rateOf('opened', total, rows)).toEqual({ of: 'sent', share: 0.25 });
  expect(rateOf('bounced', total, rows)).toEqual({ of: 'sent', share: 0.005 });
});

test('effects of several steps are a mean per run, because a run may have several', () => {
  const total = counts({ entered: 100, sent: 180, failed: 8 });
  const rows = [effects('hello', { sent: 90, failed: 3 }), effects('again', { sent: 90 })];
  expect(rateOf('sent', total, rows)).toEqual({ of: 'run', mean: 1.8 });
  // Five of the failures are runs.
  expect(rateOf('failed', total, rows)).toEqual({ of: 'run', mean: 0.08 });
});

test('there is no rate of the entered runs themselves, and none of nothing', () => {
  expect(rateOf('entered', counts({ entered: 100 }), [])).toBeUndefined();
  expect(rateOf('opened', counts({ entered: 100, opened: 1 }), [])).toBeUndefined();
  expect(rateOf('done', counts({}), [])).toBeUndefined();
});
