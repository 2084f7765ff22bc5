import type { DecimalText, Micros } from '@croupier/contracts';
import { type BaseUnits, baseText } from '../money.ts';

/**
 * What a player bet and won in one product, in base currency: the sums that docs/reference/decisions.md 3 defines once for casino, sports
 * and lottery. GGR is real_bet_sum - real_win_sum.
 */
export interface ProductTotals {
  bet_count: number;
  win_count: number;
  real_bet_sum: DecimalText;
  bonus_bet_sum: DecimalText;
  locked_bet_sum: DecimalText;
  real_win_sum: DecimalText;
  bonus_win_sum: DecimalText;
  locked_win_sum: DecimalText;
  /** The largest single bet (or win), with all its parts. Null if there is none. */
  bet_biggest: DecimalText | null;
  win_biggest: DecimalText | null;
  bet_first_at: Micros | null;
  bet_last_at: Micros | null;
  win_first_at: Micros | null;
  win_last_at: Micros | null;
}

/** A time at which bets (or wins) count, with their number and their amounts. */
export interface Moment {
  what: 'bet' | 'win';
  at: Micros;
  count: number;
  real: BaseUnits;
  bonus: BaseUnits;
  locked: BaseUnits;
  /** The amount if this is one whole bet (or win). Undefined if the money is only part of a bet. */
  size?: BaseUnits | undefined;
}

interface Side {
  count: number;
  real: BaseUnits;
  bonus: BaseUnits;
  locked: BaseUnits;
  biggest: BaseUnits | null;
  first: Micros | null;
  last: Micros | null;
}

export function productTotals(moments: Iterable<Moment>): ProductTotals {
  const sides = { bet: nothing(), win: nothing() };
  for (const moment of moments) add(sides[moment.what], moment);
  const { bet, win } = sides;
  return {
    bet_count: bet.count,
    win_count: win.count,
    real_bet_sum: baseText(bet.real),
    bonus_bet_sum: baseText(bet.bonus),
    locked_bet_sum: baseText(bet.locked),
    real_win_sum: baseText(win.real),
    bonus_win_sum: baseText(win.bonus),
    locked_win_sum: baseText(win.locked),
    bet_biggest: bet.biggest === null ? null : baseText(bet.biggest),
    win_biggest: win.biggest === null ? null : baseText(win.biggest),
    bet_first_at: bet.first,
    bet_last_at: bet.last,
    win_first_at: win.first,
    win_last_at: win.last,
  };
}

function nothing(): Side {
  return { count: 0, real: 0n, bonus: 0n, locked: 0n, biggest: null, first: null, last: null };
}

function add(side: Side, { at, count, real, bonus, locked, size }: Moment): void {
  side.count += count;
  side.real += real;
  side.bonus += bonus;
  side.locked += locked;
  if (size !== undefined && (side.biggest === null || size > side.biggest)) side.biggest = size;
  if (count === 0) return;
  if (side.first === null || at < side.first) side.first = at;
  if (side.last === null || at > side.last) side.last = at;
}
