import { totalsOf } from '../../totals/index.ts';
import { countedBetsAndWins, countedWithin } from './counted.ts';

/** Purchases and tickets have common totals. */
export const lotteryTotals = totalsOf({
  family: 'lottery',
  by: ['lottery_id'],
  counts: ['bet_count', 'win_count', 'ticket_count', 'line_count', 'winning_line_count'],
  sums: [
    'real_bet_sum',
    'bonus_bet_sum',
    'locked_bet_sum',
    'real_win_sum',
    'bonus_win_sum',
    'locked_win_sum',
    'discount_sum',
  ],
  biggest: ['bet_biggest', 'win_biggest'],
  dated: ['bet', 'win'],
  facts: countedBetsAndWins,
  factsWithin: countedWithin,
});
