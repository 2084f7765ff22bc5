import type { DecimalText, Micros } from '@croupier/contracts';
import { type BaseUnits, baseText, type Hundredths, type Millionths, toBase } from '../money.ts';
import { type Moment, type ProductTotals, productTotals } from './product-totals.ts';
import { type SessionTruth, sessionsOf, type WatchedRound } from './sessions.ts';

/**
 * The casino's book of one player's game rounds. The casino itself opens a round, moves money in it, takes a movement back, and
 * adds the round up. So it knows which movement belongs to which round, and never has to derive this from ids.
 *
 * The consolidated message and the single movements describe the same money. The message is the casino's own sum of the round,
 * so it determines the money. If it was not sent, the movements do (docs/reference/decisions.md 2.7). Only the movements
 * determine how many bets and wins there were, and how large each was.
 */
export interface RoundTruth {
  vendor_id: string;
  game_id: string;
  round_id: string;
  /**
   * Times of the first and the last movement, including those taken back. For a round that was only summed up, the time of
   * its message.
   */
  first_at: Micros;
  last_at: Micros;
  closed: boolean;
  /** False if all movements were taken back. Then the round happened, but does not count. */
  counted: boolean;
  bet_count: number;
  win_count: number;
  /** The sum of all parts, in base currency. */
  bet_sum: DecimalText;
  win_sum: DecimalText;
  /** True if the round was published only in another currency and without a rate. Then it counts without amounts. */
  unpriced: boolean;
}

/** One published movement of a round. */
export interface Movement {
  type: 'Bet' | 'Win' | 'Loss';
  at: Micros;
  real: Hundredths;
  bonus: Hundredths;
  locked: Hundredths;
  rate: Millionths;
  isEnd: boolean;
  takenBack: boolean;
}

/** The content of the consolidated message of a round, in the player's currency. */
export interface RoundSum {
  at: Micros;
  real_bet: Hundredths;
  bonus_bet: Hundredths;
  real_win: Hundredths;
  bonus_win: Hundredths;
  /** The exchange rate. Undefined if the message has no base amounts and its currency is another one. */
  rate: Millionths | undefined;
}

/** One round in the book. */
export interface RoundEntry {
  vendor_id: string;
  game_id: string;
  round_id: string;
  movements: Movement[];
  sum: RoundSum | null;
}

export type RoundBook = ReturnType<typeof createRoundBook>;

export function createRoundBook() {
  const entries: RoundEntry[] = [];
  const publishedRounds = () => entries.filter(({ movements, sum }) => movements.length > 0 || sum !== null);

  return {
    opened(vendor_id: string, game_id: string, round_id: string): RoundEntry {
      const entry: RoundEntry = { vendor_id, game_id, round_id, movements: [], sum: null };
      entries.push(entry);
      return entry;
    },
    moved(entry: RoundEntry, of: Omit<Movement, 'takenBack'>): Movement {
      const movement = { ...of, takenBack: false };
      entry.movements.push(movement);
      return movement;
    },
    /** Takes back the money of the movement. The movement itself remains. */
    tookBack(movement: Movement): void {
      movement.takenBack = true;
    },
    /** Adds the sum of a round. Only the first sum counts. A later one is a contradiction. */
    summedUp(entry: RoundEntry, sum: RoundSum): void {
      entry.sum ??= sum;
    },
    rounds: (): RoundTruth[] => publishedRounds().map(roundTruth),
    sessions: (): SessionTruth[] => sessionsOf(publishedRounds().map(watched)),
    totals: (): ProductTotals & { round_count: number } => ({
      ...productTotals(publishedRounds().flatMap(momentsOf)),
      round_count: publishedRounds().filter(isCounted).length,
    }),
  };
}

function roundTruth(entry: RoundEntry): RoundTruth {
  const { round_id, movements, sum } = entry;
  const { bet, win, ...seen } = watched(entry);
  return {
    ...seen,
    round_id,
    closed: sum !== null || movements.some(({ isEnd, takenBack }) => isEnd && !takenBack),
    counted: isCounted(entry),
    win_count: countOf(momentsOf(entry), 'win'),
    bet_sum: baseText(bet),
    win_sum: baseText(win),
    unpriced: sum !== null && rateOf(entry) === undefined && !isNothing(sum),
  };
}

function isCounted({ movements, sum }: RoundEntry): boolean {
  return sum !== null || movements.some(({ takenBack }) => !takenBack);
}

function isNothing({ real_bet, bonus_bet, real_win, bonus_win }: RoundSum): boolean {
  return real_bet + bonus_bet + real_win + bonus_win === 0;
}

function watched(entry: RoundEntry): WatchedRound {
  const moments = momentsOf(entry);
  const { vendor_id, game_id } = entry;
  return {
    vendor_id,
    game_id,
    ...spanOf(entry),
    bet_count: countOf(moments, 'bet'),
    bet: sumOf(moments, 'bet'),
    win: sumOf(moments, 'win'),
  };
}

function spanOf({ movements, sum }: RoundEntry): { first_at: Micros; last_at: Micros } {
  if (movements.length === 0) return { first_at: sum?.at ?? 0, last_at: sum?.at ?? 0 };
  const times = movements.map(({ at }) => at);
  return { first_at: Math.min(...times), last_at: Math.max(...times) };
}

function countOf(moments: readonly Moment[], what: Moment['what']): number {
  return moments.reduce((sum, one) => (one.what === what ? sum + one.count : sum), 0);
}

function sumOf(moments: readonly Moment[], what: Moment['what']): BaseUnits {
  return moments.reduce((sum, one) => (one.what === what ? sum + one.real + one.bonus + one.locked : sum), 0n);
}

/**
 * Returns the exchange rate of the message's money. It is the rate in the message, otherwise that of the round's first
 * movement.
 */
function rateOf({ sum, movements }: RoundEntry): Millionths | undefined {
  return sum?.rate ?? movements[0]?.rate;
}

function momentsOf(entry: RoundEntry): Moment[] {
  return [...momentsOfSide(entry, 'bet'), ...momentsOfSide(entry, 'win')];
}

function momentsOfSide(entry: RoundEntry, what: 'bet' | 'win'): Moment[] {
  const { sum } = entry;
  const type = what === 'bet' ? 'Bet' : 'Win';
  const counted = entry.movements.filter((one) => one.type === type && !one.takenBack && !isEmptyWin(one));
  const moments = counted.map(({ at, real, bonus, locked, rate }): Moment => {
    const size = toBase(real + bonus + locked, rate);
    if (sum !== null) return { what, at, count: 1, real: 0n, bonus: 0n, locked: 0n, size };
    return { what, at, count: 1, ...inBase({ real, bonus, locked }, rate), size };
  });
  if (sum === null || sum[`real_${what}`] + sum[`bonus_${what}`] === 0) return moments;
  const rate = rateOf(entry);
  const money = inBase({ real: sum[`real_${what}`], bonus: sum[`bonus_${what}`], locked: 0 }, rate ?? 0);
  // A round that was only summed up has one bet, because the sum does not say how many there were.
  const isOne = counted.length === 0;
  const size = isOne && rate !== undefined ? money.real + money.bonus : undefined;
  // The money of a sum counts at the time of the last movement (docs/decisions/0711).
  const at = isOne ? sum.at : Math.max(...counted.map((movement) => movement.at));
  return [...moments, { what, at, count: isOne ? 1 : 0, ...money, size }];
}

/**
 * Returns whether a movement is a win of zero. It does not count as a win, even if the message that closes the round has the
 * type Win.
 */
function isEmptyWin({ type, real, bonus, locked }: Movement): boolean {
  return type === 'Win' && real + bonus + locked === 0;
}

function inBase(money: Pick<Movement, 'real' | 'bonus' | 'locked'>, rate: Millionths) {
  return { real: toBase(money.real, rate), bonus: toBase(money.bonus, rate), locked: toBase(money.locked, rate) };
}
