import { expect, test } from 'vitest';
import type { Measures } from '../totals/index.ts';
import { evaluate, type Formula } from './formula.ts';

const casino: Measures = {
  counts: { bet_count: 3, win_count: 0 },
  sums: { bet_sum: '0.3', win_sum: '123456789012345678.01' },
  biggest: { win_biggest: '9', bet_biggest: null },
  dates: { bet_first_at: 30, bet_last_at: 50, win_last_at: null },
};
const sports: Measures = { ...casino, biggest: { win_biggest: '10' }, dates: { bet_first_at: 20, bet_last_at: 40 } };
const none: Measures = { counts: {}, sums: {}, biggest: {}, dates: {} };
const families = new Map([
  ['casino', casino],
  ['sports', sports],
]);

test.each<[string, Formula, unknown]>([
  ['a column as it is', { sum: ['casino.bet_sum'] }, '0.3'],
  ['exact sums', { sum: ['casino.win_sum', 'casino.bet_sum'] }, '123456789012345678.31'],
  ['of several families', { sum: ['casino.bet_sum', 'sports.bet_sum'] }, '0.6'],
  ['a difference', { sum: ['casino.bet_sum'], less: ['casino.win_sum'] }, '-123456789012345677.71'],
  ['a family without rows', { sum: ['lottery.bet_sum'] }, '0'],
  ['an average', { ratio: { sum: ['casino.bet_sum'] }, to: { sum: ['casino.bet_count'] } }, '0.1'],
  [
    'rounded to 10 digits',
    { ratio: { sum: ['casino.bet_count'] }, to: { sum: ['casino.bet_count', 'sports.bet_count', 'casino.bet_count'] } },
    '0.3333333333',
  ],
  ['a division by zero', { ratio: { sum: ['casino.bet_sum'] }, to: { sum: ['casino.win_count'] } }, null],
  ['the biggest as a number, not as a text', { biggest: ['casino.win_biggest', 'sports.win_biggest'] }, '10'],
  ['no biggest', { biggest: ['casino.bet_biggest', 'lottery.bet_biggest'] }, null],
  ['the first', { first: ['casino.bet_first_at', 'sports.bet_first_at'] }, 20],
  ['the last', { last: ['casino.bet_last_at', 'sports.bet_last_at'] }, 50],
  ['never', { last: ['casino.win_last_at', 'lottery.win_last_at'] }, null],
])('%s', (_, formula, value) => {
  expect(evaluate(formula, (family) => families.get(family) ?? none)).toBe(value);
});
