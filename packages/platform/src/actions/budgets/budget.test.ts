import { expect, test } from 'vitest';
import { appliesTo, type Budget, type BudgetedIntent, costOf, fits, isNear, leftOf, windowStart } from './budget.ts';

const budget: Budget = {
  budget_id: 1,
  brand_id: 1,
  name: 'Spring',
  scope: 'campaign',
  activity_id: 'spring',
  window_days: null,
  limit_amount: '100',
  limit_count: null,
  bonus_values: { WELCOME100: '99.9' },
  alarm_percent: 90,
};
const bonus: BudgetedIntent = {
  intent_id: 'i',
  brand_id: 1,
  player_id: 7,
  bonus_code: 'WELCOME100',
  activity_id: 'spring',
  amount: null,
  currency: null,
};
const funds: BudgetedIntent = { ...bonus, amount: '10', currency: 'SEK' };
const noRate = () => undefined;

test.each<[string, Partial<Budget>, Partial<BudgetedIntent>, boolean]>([
  ['a campaign pays for its own activity', {}, {}, true],
  ['a campaign does not pay for another activity', {}, { activity_id: 'autumn' }, false],
  ['a campaign does not pay for an intent without an activity', {}, { activity_id: null }, false],
  [
    'a limit per player without an activity applies to every intent',
    { scope: 'player', activity_id: null },
    { activity_id: null },
    true,
  ],
  [
    'a limit per player with an activity does not apply to another activity',
    { scope: 'player' },
    { activity_id: 'autumn' },
    false,
  ],
  ['a budget does not apply to another brand', {}, { brand_id: 2 }, false],
])('%s', (_, change, intent, applies) => {
  expect(appliesTo({ ...budget, ...change }, { ...bonus, ...intent })).toBe(applies);
});

test.each<[string, Partial<Budget>, BudgetedIntent, ReturnType<typeof costOf>]>([
  ['a bonus costs the value of its code', {}, bonus, { amount: '99.9', exchange_rate: null }],
  [
    'a bonus whose code has no value costs nothing and only counts',
    {},
    { ...bonus, bonus_code: 'X' },
    { amount: '0', exchange_rate: null },
  ],
  [
    'a code that is the name of a property of every object has no value',
    {},
    { ...bonus, bonus_code: 'constructor' },
    { amount: '0', exchange_rate: null },
  ],
  [
    'funds in the base currency cost their amount',
    {},
    { ...funds, currency: 'EUR' },
    { amount: '10', exchange_rate: '1' },
  ],
  ['the cost of funds without a known rate is unknown', {}, { ...funds, currency: 'NOK' }, null],
  [
    'funds without a known rate cost nothing if only their number is limited',
    { limit_amount: null, limit_count: 5 },
    { ...funds, currency: 'NOK' },
    { amount: '0', exchange_rate: null },
  ],
])('%s', (_, change, intent, cost) => {
  expect(costOf({ ...budget, ...change }, intent, 'EUR', noRate)).toEqual(cost);
});

test('an amount in another currency costs the amount at the known rate, exactly', () => {
  expect(costOf(budget, { ...funds, amount: '0.1' }, 'EUR', () => '0.0894')).toEqual({
    amount: '0.00894',
    exchange_rate: '0.0894',
  });
});

test.each<[string, Partial<Budget>, [string, number], string, boolean]>([
  ['a cost that reaches the limit exactly fits', {}, ['99.9', 1], '0.1', true],
  ['a cost above the limit by one cent does not fit', {}, ['99.9', 1], '0.11', false],
  ['a bonus that reaches the maximum number fits', { limit_amount: null, limit_count: 2 }, ['0', 1], '0', true],
  ['a bonus above the maximum number does not fit', { limit_amount: null, limit_count: 2 }, ['0', 2], '0', false],
  ['a cost must be within both limits', { limit_count: 2 }, ['0', 2], '1', false],
  ['no cost fits a limit of 0', { limit_amount: '0' }, ['0', 0], '1', false],
])('%s', (_, change, [amount, count], cost, fit) => {
  expect(fits({ ...budget, ...change }, { amount, count }, { amount: cost, exchange_rate: null })).toBe(fit);
});

test('the remaining amount is never below zero, and the alarm starts at the percentage of the budget', () => {
  expect(leftOf(budget, { amount: '130', count: 4 })).toEqual({ amount: '0', count: null });
  expect(leftOf({ ...budget, limit_count: 5 }, { amount: '30.5', count: 4 })).toEqual({ amount: '69.5', count: 1 });
  expect(isNear(budget, { amount: '89.99', count: 0 })).toBe(false);
  expect(isNear(budget, { amount: '90', count: 0 })).toBe(true);
  expect(isNear({ ...budget, limit_amount: null, limit_count: 10 }, { amount: '0', count: 9 })).toBe(true);
  expect(windowStart({ window_days: 2 }, 3 * 86_400_000_000)).toBe(86_400_000_000);
});
