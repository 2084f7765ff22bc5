import { totalsOf } from '../../totals/index.ts';
import { countedMoments, countedMomentsWithin } from './extremes.ts';

export const casinoTotals = totalsOf({
  family: 'casino',
  by: ['vendor_id', 'game_id'],
  counts: ['bet_count', 'win_count', 'round_count'],
  sums: ['real_bet_sum', 'bonus_bet_sum', 'locked_bet_sum', 'real_win_sum', 'bonus_win_sum', 'locked_win_sum'],
  biggest: ['bet_biggest', 'win_biggest'],
  dated: ['bet', 'win'],
  facts: countedMoments,
  factsWithin: countedMomentsWithin,
  forgets: true,
});
