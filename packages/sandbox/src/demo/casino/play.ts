import { randomBytes } from 'node:crypto';
import type { Books, Wallet } from '../../operator/index.ts';
import type { EventPublisher } from './event-publisher.ts';
import { type Game, type Spin, spin } from './slot.ts';

export interface Played extends Spin {
  wallet: Wallet;
}

/**
 * Plays one spin with the player's money. It uses real money first, then bonus money. A win is paid into the wallet that the
 * larger part of the stake came from. The spin is published as operators publish one: the Bet, its outcome, and the whole round
 * (docs/reference/interface.md, Casino events and Game round
 * events).
 *
 * @returns null if the wallet does not cover the stake.
 */
export function play(books: Books, events: EventPublisher, userId: string, game: Game, stake: number): Played | null {
  const before = books.player(userId)?.wallet;
  if (before === undefined || before.real + before.bonus < stake) return null;
  const real = Math.min(stake, Math.max(0, before.real));
  const bonus = stake - real;
  const result = spin(game, stake);
  const wonReal = real >= bonus ? result.won : 0;
  const wonBonus = result.won - wonReal;

  const round = `round-${randomBytes(6).toString('hex')}`;
  const publishActivity = (type: 'Bet' | 'Win' | 'Loss', parts: { real: number; bonus: number }) => {
    const direction = type === 'Bet' ? -1 : 1;
    const from = books.player(userId)?.wallet ?? before;
    const to = books.moveMoney(userId, { real: direction * parts.real, bonus: direction * parts.bonus }) ?? from;
    events.publish(userId, 'casino', {
      activity_id: `${round}-${type.toLowerCase()}`,
      amount: units(parts.real + parts.bonus),
      wager_amount: units(parts.real),
      bonus_wager_amount: units(parts.bonus),
      locked_wager_amount: 0,
      balance_before: units(from.real + from.bonus),
      balance_after: units(to.real + to.bonus),
      currency: before.currency,
      exchange_rate: 1,
      game_id: game.game_id,
      game_name: game.name,
      game_type: 'slots',
      vendor_id: game.vendor_id,
      is_round_end: type !== 'Bet',
      round_id: round,
      type,
    });
    return to;
  };

  publishActivity('Bet', { real, bonus });
  const wallet = publishActivity(result.won > 0 ? 'Win' : 'Loss', { real: wonReal, bonus: wonBonus });
  events.publish(userId, 'gameround', {
    round_id: round,
    game_id: game.game_id,
    game_name: game.name,
    game_type: 'slots',
    vendor_id: game.vendor_id,
    vendor_name: game.vendor_name,
    real_bet_user: units(real),
    bonus_bet_user: units(bonus),
    real_win_user: units(wonReal),
    bonus_win_user: units(wonBonus),
    user_currency: before.currency,
    device_type: 'desktop',
  });
  return { ...result, wallet };
}

/** Converts hundredths to the interface's decimal number. */
export function units(hundredths: number): number {
  return hundredths / 100;
}
