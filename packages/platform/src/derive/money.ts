import type { DecimalText } from '@croupier/contracts';
import Big from 'big.js';

/*
 * The definitions of money from docs/reference/decisions.md 3, shared by all products.
 *
 * Most bets consist of real money only, and most rates are 1. Those cases need no arithmetic.
 */

/** An amount split into real, bonus and locked money. Locked money is the player's own, held by a bonus. */
export interface MoneyParts {
  real: DecimalText;
  bonus: DecimalText;
  locked: DecimalText;
}

interface Wager {
  amount: DecimalText;
  wager_amount?: DecimalText | undefined;
  bonus_wager_amount?: DecimalText | undefined;
  locked_wager_amount?: DecimalText | undefined;
}

/**
 * The parts of a bet. The amount is authoritative: if the parts are missing or do not add up to it, the bonus and
 * locked parts count up to the amount, bonus first, and the rest is real.
 */
export function betParts(bet: Wager): MoneyParts {
  const { amount, bonus_wager_amount: bonus = '0', locked_wager_amount: locked = '0' } = bet;
  if (bonus === '0' && locked === '0') return allReal(amount);
  const total = new Big(amount);
  const ofBonus = least(new Big(bonus), total);
  const ofLocked = least(new Big(locked), total.minus(ofBonus));
  return { real: total.minus(ofBonus).minus(ofLocked).toFixed(), bonus: ofBonus.toFixed(), locked: ofLocked.toFixed() };
}

/** The parts of a win if they add up to the amount; otherwise all of it is real. */
export function winParts(win: Wager): MoneyParts {
  const { amount, wager_amount: real = '0', bonus_wager_amount: bonus = '0', locked_wager_amount: locked = '0' } = win;
  if (bonus === '0' && locked === '0') return allReal(amount);
  return new Big(real).plus(bonus).plus(locked).eq(amount) ? { real, bonus, locked } : allReal(amount);
}

export function allReal(amount: DecimalText): MoneyParts {
  return { real: amount, bonus: '0', locked: '0' };
}

/** Returns amount x exchange_rate, exact. If the currency is the base currency, reading the event has already set the rate to 1. */
export function inBase(amount: DecimalText, rate: DecimalText): DecimalText {
  return rate === '1' || amount === '0' ? amount : new Big(amount).times(rate).toFixed();
}

/** The exact sum of amounts. */
export function sumOf(amounts: Iterable<DecimalText>): DecimalText {
  let sum: Big | undefined;
  let only: DecimalText = '0';
  for (const amount of amounts) {
    if (amount === '0') continue;
    if (sum === undefined && only === '0') only = amount;
    else sum = (sum ?? new Big(only)).plus(amount);
  }
  return sum === undefined ? only : sum.toFixed();
}

function least(a: Big, b: Big): Big {
  return a.lt(b) ? a : b;
}
