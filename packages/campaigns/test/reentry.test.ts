import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Campaign, decideReentry, dependsOnEarlierRuns, noEarlierRuns, withRun } from '../src/index.ts';

type Reentry = NonNullable<Campaign['reentry']>;
const day = 86_400_000_000;
const last = { runs: 2, is_running: false, last_entered_at: 10 * day };
const running = { ...last, is_running: true };

test.each<[string, Reentry | undefined, typeof last, number, boolean]>([
  ['once by default', undefined, last, 20, false],
  ['three times, after two', { times: 3 }, last, 10, true],
  ['three times, but one still runs', { times: 3 }, running, 10, false],
  ['three times, also while one runs', { times: 3, while_running: true }, running, 10, true],
  ['twice, also while one runs, after two', { times: 2, while_running: true }, running, 10, false],
  ['unlimited, but one still runs', { times: 'unlimited' }, running, 10, false],
  ['unlimited, also while one runs', { times: 'unlimited', while_running: true }, running, 10, true],
  ['after 30 days, one day too early', { after: 'P30D' }, last, 39, false],
  ['after 30 days, exactly 30 days later', { after: 'P30D' }, last, 40, true],
  ['after 30 days, but one still runs', { after: 'P30D' }, running, 50, false],
])('%s', (_, reentry, earlier, days, enters) => {
  expect(decideReentry(reentry, { earlier, at: days * day })).toBe(enters);
  expect(decideReentry(reentry, { earlier: noEarlierRuns, at: days * day })).toBe(true);
});

test('a run of the same round counts, and is open', () => {
  expect(withRun(noEarlierRuns, 5)).toEqual({ runs: 1, is_running: true, last_entered_at: 5 });
  expect(withRun(last, 5)).toEqual({ runs: 3, is_running: true, last_entered_at: 10 * day });
});

test('a rule that does not depend on earlier runs lets every player enter', () => {
  const reentry = fc.oneof(
    fc.record({ after: fc.constant('P1D') }),
    fc.record({ times: fc.constantFrom(1, 2, 'unlimited' as const), while_running: fc.boolean() }),
  );
  const runs = fc.record({ runs: fc.nat(5), is_running: fc.boolean(), last_entered_at: fc.constantFrom(null, 0, day) });
  fc.assert(
    fc.property(reentry, runs, (rule, earlier) => {
      if (!dependsOnEarlierRuns(rule)) expect(decideReentry(rule, { earlier, at: day })).toBe(true);
    }),
  );
  expect(dependsOnEarlierRuns({ times: 'unlimited', while_running: true })).toBe(false);
  expect(dependsOnEarlierRuns(undefined)).toBe(true);
});
