import type { DecimalText } from '@croupier/contracts';
import Big from 'big.js';
import { sumOf } from '../../money.ts';
import { countedAs } from './activity.ts';
import { baseAmountsOf } from './base-amounts.ts';
import { type MessagePart, messageParts, type RoundMessage } from './message.ts';
import { messageInForce, type Round } from './round.ts';

/** The money of a round in one currency, split into real, bonus and locked money (docs/reference/decisions.md 3). */
export interface RoundAmounts {
  currency: string;
  bet: DecimalText;
  real_bet: DecimalText;
  bonus_bet: DecimalText;
  locked_bet: DecimalText;
  win: DecimalText;
  real_win: DecimalText;
  bonus_win: DecimalText;
  locked_win: DecimalText;
  /** What the player won or lost: wins - bets. */
  result: DecimalText;
}

type PartName = MessagePart | 'locked_bet' | 'locked_win';

const partNames: readonly PartName[] = [...messageParts, 'locked_bet', 'locked_win'];

/** The amounts that count in totals; null for an unpriced round. */
export function baseAmounts(round: Round, baseCurrency: string): RoundAmounts | null {
  const { parts, unpriced } = baseAmountsOf(round, baseCurrency);
  if (unpriced) return null;
  return amountsOf(baseCurrency, (name) => sumOf(parts.map(({ sums }) => sums?.[`${name}_sum`] ?? '0')));
}

/**
 * The amounts in the player's currency. Null if the round contains several currencies, or if its message contains a
 * part only in another currency.
 */
export function userAmounts(round: Round, baseCurrency: string): RoundAmounts | null {
  const message = messageInForce(round);
  const own = round.activities.filter((activity) => countedAs(activity) !== undefined);
  const currencies = new Set(own.map((activity) => activity.currency));
  if (message !== undefined) currencies.add(message.currency);
  const [currency, other] = currencies;
  if (currency === undefined || other !== undefined) return null;
  const ofMessage = messageAmounts(message, baseCurrency);
  if (ofMessage === undefined) return null;
  return amountsOf(currency, (name) => {
    const [part = 'real', word] = name.split('_') as ['real' | 'bonus' | 'locked', 'bet' | 'win'];
    const amount = ofMessage[name];
    if (amount !== undefined) return amount;
    // A message's real money includes the locked money.
    if (part === 'locked' && ofMessage[`real_${word}`] !== undefined) return '0';
    return sumOf(own.filter((activity) => countedAs(activity) === word).map((activity) => activity[part]));
  });
}

/** The parts that a message contains, in its currency; undefined if it contains a part only in another currency. */
function messageAmounts(
  message: RoundMessage | undefined,
  baseCurrency: string,
): { readonly [part in PartName]?: DecimalText } | undefined {
  if (message === undefined) return {};
  const { user, base, currency } = message;
  if (currency === baseCurrency) return { ...base, ...user };
  return messageParts.some((part) => base[part] !== undefined && user[part] === undefined) ? undefined : user;
}

function amountsOf(currency: string, partOf: (name: PartName) => DecimalText): RoundAmounts {
  const parts = Object.fromEntries(partNames.map((name) => [name, partOf(name)])) as Record<PartName, DecimalText>;
  const bet = sumOf([parts.real_bet, parts.bonus_bet, parts.locked_bet]);
  const win = sumOf([parts.real_win, parts.bonus_win, parts.locked_win]);
  return { currency, bet, win, ...parts, result: new Big(win).minus(bet).toFixed() };
}

/** Multipliers are for display: four fraction digits, rounded half up. */
const Rounded = Big();
Rounded.DP = 4;
Rounded.RM = Big.roundHalfUp;

/** wins / bets; null without a bet. */
export function multiplierOf(amounts: Pick<RoundAmounts, 'bet' | 'win'> | null): DecimalText | null {
  return amounts === null || amounts.bet === '0' ? null : new Rounded(amounts.win).div(amounts.bet).toFixed();
}
