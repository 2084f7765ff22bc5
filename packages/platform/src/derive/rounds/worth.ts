import type { DecimalText } from '@croupier/contracts';
import Big from 'big.js';
import { inBase, sumOf } from '../money.ts';
import type { Part } from '../totals/index.ts';
import type { Activity } from './activity.ts';
import { type MessagePart, messageParts, type RoundMessage } from './message.ts';
import { type Round, standingMessage } from './round.ts';

/*
 * What a round adds to the totals of its player.
 *
 * Each bet and win counts at its own time. Where the game round message carries a part (real or bonus, bet or win), that part
 * of all activities gives way to the message's, at the message's time (decisions.md 2.7). How many bets and wins there were,
 * and how big each was, the activities know better: the message is asked where there is none of that type.
 */
export interface Worth {
  parts: readonly Part[];
  bet_count: number;
  win_count: number;
  /** In the base currency. */
  bet_sum: DecimalText;
  win_sum: DecimalText;
  unpriced: boolean;
}

/** What a message says, in the base currency. */
interface Told {
  message: RoundMessage;
  carries: (part: MessagePart) => boolean;
  base: { readonly [part in MessagePart]?: DecimalText };
  bets: boolean;
  wins: boolean;
  unpriced: boolean;
}

export function worthOf(round: Round, baseCurrency: string): Worth {
  const message = standingMessage(round);
  const told = message === undefined ? undefined : toldBy(message, round.activities, baseCurrency);
  const parts: Part[] = [];
  let bets = 0;
  let wins = 0;
  for (const activity of round.activities) {
    if (activity.resolution !== 'in_force' || activity.status !== 'Approved' || activity.type === 'Loss') continue;
    if (activity.type === 'Bet') bets += 1;
    else wins += 1;
    parts.push(told === undefined ? ownPart(round, activity) : partBeside(told, round, activity));
  }
  if (told !== undefined) {
    const counted = { bet: bets === 0 && told.bets, win: wins === 0 && told.wins };
    if (counted.bet) bets = 1;
    if (counted.win) wins = 1;
    parts.push(partOfMessage(told, round, counted));
  }
  return {
    ...{ parts, bet_count: bets, win_count: wins },
    bet_sum: sumOfAll(parts, 'bet'),
    win_sum: sumOfAll(parts, 'win'),
    unpriced: told?.unpriced ?? false,
  };
}

/** Parts of activities without a message depend on nothing else, and are asked for before and after every change. */
const ownParts = new WeakMap<Activity, Part>();

function ownPart(round: Round, activity: Activity): Part {
  const known = ownParts.get(activity);
  if (known !== undefined) return known;
  const part = partOf(round, activity, activity.real, activity.bonus, activity.locked);
  ownParts.set(activity, part);
  return part;
}

function partBeside(told: Told, round: Round, activity: Activity): Part {
  const word = activity.type === 'Bet' ? 'bet' : 'win';
  if (told.unpriced) return { ...partOf(round, activity, '0', '0', '0'), biggest: {} };
  const real = told.carries(`real_${word}`);
  const bonus = told.carries(`bonus_${word}`) ? '0' : activity.bonus;
  return partOf(round, activity, real ? '0' : activity.real, bonus, real ? '0' : activity.locked);
}

/** An activity at its own time, with those of its amounts that count. It is as big as its whole amount. */
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
    ...{ player_id, at: timestamp, day, by: { vendor_id, game_id }, sums },
    counts: { [`${word}_count`]: 1 },
    biggest: { [`${word}_biggest`]: whole },
    dated: [word],
  };
}

function partOfMessage(told: Told, round: Round, counted: { bet: boolean; win: boolean }): Part {
  const { player_id, vendor_id, game_id } = round;
  const { timestamp, day } = told.message;
  const sums: Record<string, DecimalText> = {};
  if (!told.unpriced) {
    for (const part of messageParts) {
      const amount = told.base[part] ?? '0';
      if (amount !== '0') sums[`${part}_sum`] = amount;
    }
  }
  const words = (['bet', 'win'] as const).filter((word) => counted[word]);
  const whole = (word: 'bet' | 'win') => sumOf([told.base[`real_${word}`] ?? '0', told.base[`bonus_${word}`] ?? '0']);
  return {
    ...{ player_id, at: timestamp, day, by: { vendor_id, game_id }, sums },
    counts: Object.fromEntries(words.map((word) => [`${word}_count`, 1])),
    biggest: told.unpriced ? {} : Object.fromEntries(words.map((word) => [`${word}_biggest`, whole(word)])),
    dated: words,
  };
}

/** Base amounts in the order of decisions.md 2.7. */
export function toldBy(message: RoundMessage, activities: readonly Activity[], baseCurrency: string): Told {
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
    ...{ message, unpriced, base: priced },
    carries: (part) => user[part] !== undefined || base[part] !== undefined,
    bets: isAny('real_bet', 'bonus_bet'),
    wins: isAny('real_win', 'bonus_win'),
  };
}

/** The rate that the round's own activities give: of the first in this currency, taken back or not. */
function rateOf(currency: string, activities: readonly Activity[]): DecimalText | undefined {
  return activities.find(
    (activity) =>
      activity.currency === currency && activity.status === 'Approved' && activity.resolution !== 'superseded',
  )?.exchange_rate;
}

function isMore(amount: DecimalText | undefined): boolean {
  return amount !== undefined && amount !== '0';
}

function sumOfAll(parts: readonly Part[], word: 'bet' | 'win'): DecimalText {
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
