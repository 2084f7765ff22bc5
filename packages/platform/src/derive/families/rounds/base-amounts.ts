import type { DecimalText } from '@croupier/contracts';
import Big from 'big.js';
import { inBase, sumOf } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import { type Activity, countedAs } from './activity.ts';
import { type MessagePart, messageParts, type RoundMessage } from './message.ts';
import { messageInForce, type Round } from './round.ts';

/*
 * What a round adds to the totals of its player.
 *
 * Each bet and win counts at its own time. If the game round message contains a part (real or bonus, bet or win), the
 * message's amount replaces that part of all activities (docs/reference/decisions.md 2.7). The number of bets and wins,
 * and the size of each, come from the activities. The message is used for these only if the round has no activity of
 * that type.
 *
 *   bet 10 at 23:59:59                    counts as a bet   at 23:59:59
 *   message at 00:00:10, real bet 10      its 10 count      at 23:59:59, the time of the last bet in force; if no bet is in
 *                                                           force, at 00:00:10
 *
 * A message's money counts at the time of the last activity of its type, because the message only corrects the amount.
 * The message's own time is often seconds later. If the money counted then, one hour or day could have money without a
 * bet, and the previous hour or day could have a bet without money (docs/decisions/0711).
 */
export interface BaseAmounts {
  parts: readonly Part[];
  bet_count: number;
  win_count: number;
  /** In the base currency. */
  bet_sum: DecimalText;
  win_sum: DecimalText;
  unpriced: boolean;
}

const words = ['bet', 'win'] as const;
type Word = (typeof words)[number];

/** The amounts of a message, in the base currency. */
interface MessageMoney {
  message: RoundMessage;
  carries: (part: MessagePart) => boolean;
  base: { readonly [part in MessagePart]?: DecimalText };
  /** True if the message contains a bet (win) above zero. */
  moves: { readonly [word in Word]: boolean };
  unpriced: boolean;
}

export function baseAmountsOf(round: Round, baseCurrency: string): BaseAmounts {
  const message = messageInForce(round);
  const money = message === undefined ? undefined : moneyOfMessage(message, round.activities, baseCurrency);
  const parts: Part[] = [];
  const counts = { bet: 0, win: 0 };
  const last: { [word in Word]?: Activity } = {};
  for (const activity of round.activities) {
    const word = countedAs(activity);
    if (word === undefined) continue;
    counts[word] += 1;
    last[word] = activity;
    parts.push(money === undefined ? ownPart(round, activity) : partBeside(money, round, activity));
  }
  if (money !== undefined) {
    for (const word of words) {
      const isOne = counts[word] === 0 && money.moves[word];
      if (isOne) counts[word] = 1;
      parts.push(partOfMessage(money, round, { word, isOne, when: last[word] ?? money.message }));
    }
  }
  return {
    parts,
    bet_count: counts.bet,
    win_count: counts.win,
    bet_sum: sumOfAll(parts, 'bet'),
    win_sum: sumOfAll(parts, 'win'),
    unpriced: money?.unpriced ?? false,
  };
}

/** Without a message, the part of an activity depends only on the activity. It is needed before and after every change, so it is cached. */
const ownParts = new WeakMap<Activity, Part>();

function ownPart(round: Round, activity: Activity): Part {
  const known = ownParts.get(activity);
  if (known !== undefined) return known;
  const part = partOf(round, activity, activity.real, activity.bonus, activity.locked);
  ownParts.set(activity, part);
  return part;
}

function partBeside(money: MessageMoney, round: Round, activity: Activity): Part {
  const word = activity.type === 'Bet' ? 'bet' : 'win';
  if (money.unpriced) return { ...partOf(round, activity, '0', '0', '0'), biggest: {} };
  const real = money.carries(`real_${word}`);
  const bonus = money.carries(`bonus_${word}`) ? '0' : activity.bonus;
  return partOf(round, activity, real ? '0' : activity.real, bonus, real ? '0' : activity.locked);
}

/**
 * The part of an activity. It counts at the activity's own time, with the given amounts. The size of the bet or win is the whole amount
 * of the activity.
 */
function partOf(round: Round, activity: Activity, real: DecimalText, bonus: DecimalText, locked: DecimalText): Part {
  const { vendor_id, game_id, player_id } = round;
  const { timestamp, day, amount, exchange_rate } = activity;
  const word = activity.type === 'Bet' ? 'bet' : 'win';
  const whole = inBase(amount, exchange_rate);
  const sums: Record<string, DecimalText> = {};
  if (real !== '0') sums[`real_${word}_sum`] = real === amount ? whole : inBase(real, exchange_rate);
  if (bonus !== '0') sums[`bonus_${word}_sum`] = inBase(bonus, exchange_rate);
  if (locked !== '0') sums[`locked_${word}_sum`] = inBase(locked, exchange_rate);
  return {
    player_id,
    at: timestamp,
    day,
    by: { vendor_id, game_id },
    sums,
    counts: { [`${word}_count`]: 1 },
    biggest: { [`${word}_biggest`]: whole },
    dated: [word],
  };
}

/**
 * The bets or the wins of a message.
 *
 * @param of.isOne true if they count as one bet (win), because the round has no activity of that type
 */
function partOfMessage(
  { base, unpriced }: MessageMoney,
  { player_id, vendor_id, game_id }: Round,
  of: { word: Word; isOne: boolean; when: Pick<Activity, 'timestamp' | 'day'> },
): Part {
  const { word, isOne, when } = of;
  const real = base[`real_${word}`] ?? '0';
  const bonus = base[`bonus_${word}`] ?? '0';
  const sums: Record<string, DecimalText> = {};
  if (!unpriced && real !== '0') sums[`real_${word}_sum`] = real;
  if (!unpriced && bonus !== '0') sums[`bonus_${word}_sum`] = bonus;
  const part = { player_id, at: when.timestamp, day: when.day, by: { vendor_id, game_id }, sums };
  if (!isOne) return { ...part, counts: {} };
  return {
    ...part,
    counts: { [`${word}_count`]: 1 },
    biggest: unpriced ? {} : { [`${word}_biggest`]: sumOf([real, bonus]) },
    dated: [word],
  };
}

/** Base amounts in the order of docs/reference/decisions.md 2.7. */
export function moneyOfMessage(
  message: RoundMessage,
  activities: readonly Activity[],
  baseCurrency: string,
): MessageMoney {
  const { user, base, currency } = message;
  const rate = currency === baseCurrency ? '1' : rateOf(currency, activities);
  const priced: { [part in MessagePart]?: DecimalText } = {};
  let unpriced = false;
  for (const part of messageParts) {
    const given = base[part] ?? (user[part] === '0' ? '0' : undefined);
    const amount = user[part];
    if (given !== undefined) priced[part] = given;
    else if (amount !== undefined && rate !== undefined) priced[part] = inBase(amount, rate);
    else if (amount !== undefined) unpriced = true;
  }
  const isAny = (...parts: MessagePart[]) => parts.some((part) => isMore(user[part]) || isMore(base[part]));
  return {
    message,
    unpriced,
    base: priced,
    carries: (part) => user[part] !== undefined || base[part] !== undefined,
    moves: { bet: isAny('real_bet', 'bonus_bet'), win: isAny('real_win', 'bonus_win') },
  };
}

/** The rate of the round's own activities: of the first Approved in this currency, even if it was rolled back. */
function rateOf(currency: string, activities: readonly Activity[]): DecimalText | undefined {
  return activities.find(
    (activity) =>
      activity.currency === currency && activity.status === 'Approved' && activity.resolution !== 'superseded',
  )?.exchange_rate;
}

function isMore(amount: DecimalText | undefined): boolean {
  return amount !== undefined && amount !== '0';
}

function sumOfAll(parts: readonly Part[], word: Word): DecimalText {
  const [real, bonus, locked] = [`real_${word}_sum`, `bonus_${word}_sum`, `locked_${word}_sum`] as const;
  let sum: DecimalText = '0';
  for (const { sums } of parts) {
    for (const amount of [sums?.[real], sums?.[bonus], sums?.[locked]]) {
      if (amount === undefined || amount === '0') continue;
      sum = sum === '0' ? amount : new Big(sum).plus(amount).toFixed();
    }
  }
  return sum;
}
