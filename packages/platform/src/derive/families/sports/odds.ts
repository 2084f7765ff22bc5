import type { DecimalText } from '@croupier/contracts';
import Big from 'big.js';
import type { Selection } from './activity.ts';

/**
 * Maximum number of selections for which odds are computed. No player bets on a longer combination, and its exact product
 * would have thousands of digits.
 */
const longestProduct = 50;

/** The product of the selections' odds, if it exists: for a Single, and for a Combo with the odds of all selections. */
export function oddsOf(betType: string, selections: readonly Selection[]): DecimalText | null {
  const isProduct = betType === 'Combo' ? selections.length <= longestProduct : betType === 'Single';
  const odds = selections.flatMap((selection) => selection.odds ?? []);
  if (!isProduct || odds.length === 0 || odds.length < selections.length) return null;
  if (betType === 'Single' && odds.length > 1) return null;
  return odds.reduce((product, each) => product.times(each), new Big(1)).toFixed();
}
