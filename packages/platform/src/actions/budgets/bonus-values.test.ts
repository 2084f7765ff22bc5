import { expect, test } from 'vitest';
import { bonusValues } from './bonus-values.ts';

test('a bonus costs its value in the budget of the campaign, or else the highest of the budgets of players', () => {
  const of = (scope: 'campaign' | 'player', activity_id: string | null, values: Record<string, string>) => ({
    scope,
    activity_id,
    bonus_values: values,
  });
  const budgets = [
    of('campaign', 'welcome', { GIFT: '5' }),
    of('player', null, { GIFT: '9', SPIN: '0.1' }),
    of('player', null, { SPIN: '0.25' }),
    of('campaign', 'other', { OWN: '7' }),
  ];
  expect(Object.fromEntries(bonusValues(budgets, 'welcome'))).toEqual({ GIFT: '5', SPIN: '0.25' });
});
