import { expect, test } from 'vitest';
import { kindsOfTrait, traitCatalog } from './index.ts';

const kindsOf = (name: string) => {
  const trait = traitCatalog.find((one) => one.name === name);
  return new Set(trait && kindsOfTrait(trait));
};

test.each([
  ['lottery_bet_sum', ['lottery', 'lottery_purchase']],
  ['lottery_favorite_lottery', ['lottery', 'lottery_purchase']],
  ['days_registered_without_deposit', ['registration', 'payment']],
  ['account_age', ['registration']],
  ['sports_favorite_team', ['sports']],
])('%s changes with %j', (name, kinds) => {
  expect(kindsOf(name)).toEqual(new Set(kinds));
});
