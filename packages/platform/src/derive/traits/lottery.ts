import { favoriteOf } from './favorites.ts';
import { productTraits } from './products.ts';
import type { Trait } from './trait.ts';
import { amount, count } from './wording.ts';

export const lotteryTraits: readonly Trait[] = [
  ...productTraits({
    prefix: 'lottery_',
    families: ['lottery'],
    product: 'lotteries',
    bets: 'lottery purchases in force (v1: transactions; v2: tickets of type Bet)',
    wins: 'lottery v2 settlements in force with an amount',
  }),
  count(
    {
      name: 'lottery_ticket_count',
      meaning: 'Number of lottery tickets bought.',
      formula: 'count of tickets of purchases in force',
    },
    'lottery.ticket_count',
  ),
  count(
    {
      name: 'lottery_line_count',
      meaning: 'Number of lines on the lottery tickets bought.',
      formula: 'count of lines of purchases in force',
    },
    'lottery.line_count',
  ),
  count(
    {
      name: 'lottery_winning_line_count',
      meaning: 'Number of lines that won.',
      formula: 'count of bought lines that the settlement in force marks as winning (v2)',
    },
    'lottery.winning_line_count',
  ),
  amount(
    {
      name: 'lottery_discount_sum',
      meaning: 'Discounts on lottery purchases. They are not part of GGR.',
      formula: 'sum of discount_amount x exchange_rate of purchases in force',
    },
    { sum: ['lottery.discount_sum'] },
  ),
  favoriteOf('lottery', 'lottery_id', {
    name: 'lottery_favorite_lottery',
    meaning:
      'The lottery for which the player buys tickets most often: its lottery_id, or in version 1 the name of its product.',
    bets: 'lottery purchases (v1: of the first ticket)',
  }),
];
