import { expect, test } from 'vitest';
import { kindsOfTrait, traitCatalogue } from './index.ts';

const kindsOf = (name: string) => {
  const trait = traitCatalogue.find((one) => one.name === name);
  return new Set(trait && kindsOfTrait(trait));
};

test.each([
  ['lottery_bet_sum', ['lottery', 'lottery_purchase']],
  ['lottery_favourite_lottery', ['lottery', 'lottery_purchase']],
  ['days_registered_without_deposit', ['registration', 'payment']],
  ['account_age', ['registration']],
  ['sports_favourite_team', ['sports']],
])('%s changes with %j', (name, kinds) => {
  expect(kindsOf(name)).toEqual(new Set(kinds));
});
