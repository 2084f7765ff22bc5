import type { Trait } from './trait.ts';
import { amount, count, moment } from './wording.ts';

const credited = "funds that the platform credited to the player's wallet";

export const fundsTraits: readonly Trait[] = [
  count(
    { name: 'funds_credited_count', meaning: `Number of credits of funds.`, formula: `count of ${credited}` },
    'funds.funds_credited_count',
  ),
  amount(
    {
      name: 'funds_credited_sum',
      meaning: 'Sum of the funds credited.',
      formula: `sum of amount x exchange_rate of ${credited}, when they were credited`,
    },
    { sum: ['funds.funds_credited_sum'] },
  ),
  moment(
    {
      name: 'funds_credited_first_at',
      meaning: 'Time of the first credit of funds.',
      formula: `earliest of ${credited}`,
    },
    { first: ['funds.funds_credited_first_at'] },
  ),
  moment(
    {
      name: 'funds_credited_last_at',
      meaning: 'Time of the latest credit of funds.',
      formula: `latest of ${credited}`,
    },
    { last: ['funds.funds_credited_last_at'] },
  ),
];
