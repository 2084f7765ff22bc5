import { each, productTraits } from './products.ts';
import type { Trait } from './trait.ts';
import { amount } from './wording.ts';

const families = ['casino', 'sports', 'lottery'];
const bonusCost = ['bonus.turned_real_sum', 'funds.funds_credited_sum'] as const;

/** Over all products. */
export const playTraits: readonly Trait[] = [
  ...productTraits({
    ...{ prefix: '', families, product: 'all products' },
    bets: 'the bets of casino, sports and lottery',
    wins: 'the wins of casino, sports and lottery',
  }),
  amount(
    {
      name: 'ngr',
      meaning: 'Net gaming revenue: gross gaming revenue less what bonuses cost.',
      formula: 'ggr - bonus_cost',
    },
    { sum: each(families, 'real_bet_sum'), less: [...each(families, 'real_win_sum'), ...bonusCost] },
  ),
  amount(
    {
      name: 'bonus_cost',
      meaning: 'What bonuses cost: bonus money that became real, and funds credited.',
      formula: 'bonus_turned_real_sum + funds_credited_sum',
    },
    { sum: bonusCost },
  ),
];
