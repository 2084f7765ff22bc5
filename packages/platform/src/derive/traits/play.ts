import { each, productTraits } from './products.ts';
import type { Trait } from './trait.ts';
import { amount } from './wording.ts';

const families = ['casino', 'sports', 'lottery'];
const bonusCost = ['bonus.turned_real_sum', 'funds.funds_credited_sum'] as const;

/** Joins the names that a trait has for the products: `casino_ggr + sports_ggr + lottery_ggr`. */
function ofEach(name: string, between: string): string {
  return families.map((family) => `${family}_${name}`).join(between);
}

/** Traits over all products. */
export const playTraits: readonly Trait[] = [
  ...productTraits({
    prefix: '',
    families,
    product: 'all products',
    formulas: (side) => ({
      count: ofEach(`${side}_count`, ' + '),
      sum: {
        real: ofEach(`real_${side}_sum`, ' + '),
        bonus: ofEach(`bonus_${side}_sum`, ' + '),
        locked: ofEach(`locked_${side}_sum`, ' + '),
      },
      biggest: `largest of ${ofEach(`${side}_biggest`, ', ')}`,
      first: `earliest of ${ofEach(`${side}_first_at`, ', ')}`,
      last: `latest of ${ofEach(`${side}_last_at`, ', ')}`,
    }),
  }),
  amount(
    {
      name: 'ngr',
      meaning: 'Net gaming revenue: gross gaming revenue minus the cost of bonuses.',
      formula: 'ggr - bonus_cost',
    },
    { sum: each(families, 'real_bet_sum'), less: [...each(families, 'real_win_sum'), ...bonusCost] },
  ),
  amount(
    {
      name: 'bonus_cost',
      meaning: 'Cost of bonuses: bonus money that became real, plus funds credited.',
      formula: 'bonus_turned_real_sum + funds_credited_sum',
    },
    { sum: bonusCost },
  ),
];
