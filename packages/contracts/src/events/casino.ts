import { currency } from '../fields/currency.ts';
import { informational, optional, withDefault } from '../fields/field.ts';
import { id } from '../fields/id.ts';
import { amount, balance, exchangeRate } from '../fields/money.ts';
import { closedSet } from '../fields/set.ts';
import { label } from '../fields/text.ts';
import { truth } from '../fields/truth.ts';
import { meta, origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';
import { flagWagerParts, normalizeRate } from './money-rules.ts';

export const casinoTypes = ['Bet', 'Win', 'Loss'] as const;
export const activityStatuses = ['Approved', 'Rollback'] as const;

export const casino = message({
  kind: 'casino',
  fields: {
    user_id: userId,
    timestamp,
    activity_id: id('Identifier of this activity.'),
    type: closedSet(casinoTypes, 'Bet and Win move money. Loss closes a round and moves no money.'),
    status: withDefault(closedSet(activityStatuses, 'Default: Approved.'), 'Approved'),
    round_id: id('Identifier of the game round.'),
    game_id: id('Identifier of the game.'),
    vendor_id: id('Identifier of the game vendor.'),
    amount: amount('Stake or win in `currency`.'),
    wager_amount: optional(amount('Part of the amount that is real money.')),
    bonus_wager_amount: optional(amount('Part of the amount that is bonus money.')),
    locked_wager_amount: optional(amount('Part of the amount that is locked money.')),
    currency: currency('Currency of the amounts.'),
    exchange_rate: exchangeRate('Rate at the timestamp that converts the amounts to the base currency.'),
    balance_before: optional(balance('Real balance before the activity.')),
    balance_after: optional(balance('Real balance after the activity.')),
    bonus_balance_before: optional(balance('Bonus balance before the activity.')),
    bonus_balance_after: optional(balance('Bonus balance after the activity.')),
    is_round_end: truth('True if the operator considers the round closed.'),
    origin,
    game_name: informational(label('Name of the game.')),
    game_type: informational(label('Type of the game, such as slots.')),
    vendor_name: informational(label('Name of the game vendor.')),
    meta,
  },
  across(event, reading) {
    normalizeRate(event, reading);
    if (event.type === 'Bet') flagWagerParts(event, reading);
  },
  samples: {
    bet: {
      user_id: '7865312321',
      timestamp: '2026-03-02 08:40:01',
      activity_id: '987001',
      type: 'Bet',
      round_id: '55512',
      game_id: '8801',
      vendor_id: '35',
      amount: 2,
      wager_amount: 1.5,
      bonus_wager_amount: 0.5,
      locked_wager_amount: 0,
      currency: 'EUR',
      exchange_rate: 1,
      balance_before: 50.25,
      balance_after: 48.75,
      is_round_end: false,
      origin: 'www.example.com',
    },
    win: {
      user_id: '7865312321',
      timestamp: '2026-03-02 08:40:05',
      activity_id: '987002',
      type: 'Win',
      round_id: '55512',
      game_id: '8801',
      vendor_id: '35',
      amount: 7.2,
      wager_amount: 7.2,
      bonus_wager_amount: 0,
      locked_wager_amount: 0,
      currency: 'EUR',
      exchange_rate: 1,
      balance_before: 48.75,
      balance_after: 55.95,
      is_round_end: true,
      origin: 'www.example.com',
    },
  },
});
