import type { DecimalText } from '@croupier/contracts';
import Big from 'big.js';
import type { Selection } from './activity.ts';

/** A longer combination is nobody's bet, and its exact product would be a number of thousands of digits. */
const longestProduct = 50;

/** The product of the selections' odds, where there is one: of a Single, and of a Combo that tells all of them. */
export function oddsOf(betType: string, selections: readonly Selection[]): DecimalText | null {
  const isProduct = betType === 'Combo' ? selections.length <= longestProduct : betType === 'Single';
  const odds = selections.flatMap((selection) => selection.odds ?? []);
  if (!isProduct || odds.length === 0 || odds.length < selections.length) return null;
  if (betType === 'Single' && odds.length > 1) return null;
  return odds.reduce((product, each) => product.times(each), new Big(1)).toFixed();
}
