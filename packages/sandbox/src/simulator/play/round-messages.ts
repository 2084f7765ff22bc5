import type { Micros } from '@croupier/contracts';
import type { Casino } from '../casino.ts';
import type { Label } from '../message.ts';
import { asNumber, type Hundredths, type Millionths, rateAsNumber } from '../money.ts';
import type { CasinoPlayer } from '../players.ts';
import type { RoundEntry } from '../truth/round-book.ts';

/** How the casino's game servers publish rounds: each activity as its own message, and the round as a whole. */

export const games = [
  ['reelworks', 'Reel Works', '5021', 'Book of Tides', 'slots'],
  ['reelworks', 'Reel Works', '5044', 'Golden Borg', 'slots'],
  ['reelworks', 'Reel Works', '5107', 'Nordlys', 'slots'],
  ['888', 'Triple Eight', '12', 'Classic Seven', 'slots'],
  ['888', 'Triple Eight', '77', 'Lucky Carp', 'slots'],
  ['liveroom', 'Live Room', 'roulette-vip', 'Roulette VIP', 'live'],
  ['liveroom', 'Live Room', 'bj-1', 'Blackjack 1', 'table'],
  ['quickfire', 'Quick Fire', 'crash', 'Rocket', 'crash'],
] as const;

export interface Round {
  ids: { round_id: string; endedAt: Micros };
  game: (typeof games)[number];
  entry: RoundEntry;
  oneActivityId: boolean;
  published: 'both' | 'raw' | 'gameround';
  /** The player's own money, including locked money. */
  real_bet: Hundredths;
  bonus_bet: Hundredths;
  real_win: Hundredths;
  bonus_win: Hundredths;
  /** Whether half of the player's own money in the round is locked. */
  locks: boolean;
  activity_id: string;
  lastAt: Micros;
}

export interface Activity {
  type: 'Bet' | 'Win' | 'Loss';
  real: Hundredths;
  bonus: Hundredths;
  locked: Hundredths;
  isEnd: boolean;
}

/** Publishes an activity. Returns its timestamp and exchange rate, as the message has them. */
export function publishActivity(
  casino: Casino,
  player: CasinoPlayer,
  game: Round['game'],
  ids: { activity_id: string; round_id: string },
  { type, real, bonus, locked, isEnd }: Activity,
  { label = 'event', status, delay = 0 }: { label?: Label; status?: string; delay?: Micros },
  after?: Micros,
): { at: Micros; rate: Millionths } {
  const { at, text: timestamp } = casino.stamp('casino', after);
  const rate = casino.rate(player.currency, at);
  const wallet = casino.books.player(player.user_id)?.wallet;
  const balance = Math.max(0, (wallet?.real ?? 0) + (wallet?.bonus ?? 0));
  const amount = real + bonus + locked;
  const change = (type === 'Bet' ? -1 : 1) * amount;
  const parts = {
    wager_amount: asNumber(real),
    bonus_wager_amount: asNumber(bonus),
    locked_wager_amount: asNumber(locked),
  };
  const body = {
    ...ids,
    amount: asNumber(amount),
    balance_before: asNumber(Math.max(0, balance - change)),
    balance_after: asNumber(balance),
    // If the whole amount is real money, a message may omit the parts.
    ...(bonus === 0 && locked === 0 && casino.plays('no_parts') ? {} : parts),
    currency: player.currency,
    exchange_rate: rateAsNumber(rate),
    game_id: game[2],
    ...(casino.random.chance(0.2) ? { game_name: game[3], game_type: game[4], vendor_name: game[1] } : {}),
    vendor_id: game[0],
    is_round_end: isEnd,
    origin: player.origin,
    timestamp,
    type,
    ...(status === undefined ? {} : { status }),
  };
  casino.publish(player, 'casino', body, { label, delay });
  return { at, rate };
}

/**
 * Publishes a round as a whole. The message has no field for locked money. Locked money is the player's own, so the real
 * money includes it. The returned rate is that of the base amounts. It is undefined if the message has only amounts in
 * another currency.
 */
export function publishRound(
  casino: Casino,
  player: CasinoPlayer,
  round: Round,
  label: Label,
): { at: Micros; rate: Millionths | undefined } {
  const { at, text: timestamp } = casino.stamp('gameround', round.lastAt);
  const rate = casino.rate(player.currency, at);
  const [vendor_id, vendor_name, game_id, game_name, game_type] = round.game;
  // Base amounts are exact, with eight decimal places. Only some operators send them.
  const base = (amount: Hundredths) => Number((BigInt(amount) * BigInt(rate)).toString()) / 1e8;
  const withBase = casino.random.chance(0.5);
  const body = {
    round_id: round.ids.round_id,
    game_id,
    game_name,
    game_type,
    vendor_id,
    vendor_name,
    real_bet_user: asNumber(round.real_bet),
    bonus_bet_user: asNumber(round.bonus_bet),
    real_win_user: asNumber(round.real_win),
    bonus_win_user: asNumber(round.bonus_win),
    ...(withBase
      ? {
          real_bet_base: base(round.real_bet),
          bonus_bet_base: base(round.bonus_bet),
          real_win_base: base(round.real_win),
          bonus_win_base: base(round.bonus_win),
        }
      : {}),
    user_currency: player.currency,
    device_type: player.device,
    origin: player.origin,
    timestamp,
  };
  casino.publish(player, 'gameround', body, { label });
  const isKnown = withBase || player.currency === casino.brand.base_currency;
  return { at, rate: isKnown ? rate : undefined };
}
