import Big from 'big.js';
import type { Reading } from '../fields/field.ts';
import type { DecimalText } from '../values.ts';

/**
 * The rate of the brand's base currency is 1. Another rate is flagged, and 1 is used
 * (docs/reference/decisions.md 1, "Money").
 */
export function normalizeRate(money: { currency: string; exchange_rate: DecimalText }, reading: Reading): void {
  if (money.currency !== reading.baseCurrency || money.exchange_rate === '1') return;
  reading.flag('rate_not_one');
  money.exchange_rate = '1';
}

interface Wager {
  amount: DecimalText;
  wager_amount?: DecimalText;
  bonus_wager_amount?: DecimalText;
  locked_wager_amount?: DecimalText;
}

/**
 * Flags a bet whose real, bonus and locked parts are missing or do not add up to its amount
 * (docs/reference/decisions.md 3, "Bet").
 */
export function flagWagerParts(bet: Wager, reading: Reading): void {
  const { amount, wager_amount: real, bonus_wager_amount: bonus, locked_wager_amount: locked } = bet;
  if (real === undefined && bonus === undefined && locked === undefined) reading.flag('parts_absent');
  // Nearly all bets consist of real money only. They need no arithmetic.
  else if (real === amount && isNothing(bonus) && isNothing(locked)) return;
  else if (!sum(real, bonus, locked).eq(amount)) reading.flag('parts_do_not_sum');
}

function isNothing(part: DecimalText | undefined): boolean {
  return part === undefined || part === '0';
}

function sum(...parts: (DecimalText | undefined)[]): Big {
  return parts.reduce((total, part) => (part === undefined ? total : total.plus(part)), new Big(0));
}
