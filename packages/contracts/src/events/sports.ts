import { currency } from '../fields/currency.ts';
import { informational, optional, withDefault } from '../fields/field.ts';
import { anything } from '../fields/free.ts';
import { id } from '../fields/id.ts';
import { amount, balance, exchangeRate } from '../fields/money.ts';
import { list, record } from '../fields/record.ts';
import { closedSet, openSet } from '../fields/set.ts';
import { label } from '../fields/text.ts';
import { momentOrText } from '../fields/timestamp.ts';
import { truth } from '../fields/truth.ts';
import { activityStatuses } from './casino.ts';
import { meta, origin, timestamp, userId } from './every-event.ts';
import { deviceType } from './gameround.ts';
import { message } from './message.ts';
import { flagWagerParts, normalizeRate } from './money-rules.ts';

export const sportsTypes = ['Bet', 'Settlement'] as const;
export const betTypes = ['Single', 'Combo', 'Multi', 'System'] as const;

const selection = record('One selection of the bet.', {
  event_name: informational(label('Name of the sports event.')),
  is_free_bet: optional(truth('True if the selection is a free bet.')),
  is_risk_free_bet: informational(truth('True if the selection is a risk-free bet.')),
  market: informational(label('Market of the selection.')),
  match_start: informational(momentOrText('Start of the match.', 'unreadable_match_start')),
  outcome: informational(label('Outcome that was bet on.')),
  sports_name: informational(label('Name of the sport.')),
  tournament_name: informational(label('Name of the tournament.')),
  odds: informational(amount('Odds of the selection.')),
  is_live: informational(truth('True if the bet was placed during the match.')),
});

export const sports = message({
  kind: 'sports',
  fields: {
    user_id: userId,
    timestamp,
    activity_id: id('Identifier of this activity.'),
    activity_id_reference: optional(
      id('For a settlement or cashout, the activity_id of its bet. Empty for a new bet.'),
    ),
    type: closedSet(sportsTypes, 'A cashout is a Settlement with is_cashout true.'),
    status: withDefault(closedSet(activityStatuses, 'Default: Approved.'), 'Approved'),
    is_cashout: optional(truth('True if the settlement is a cashout.')),
    bet_type: openSet(betTypes, 'Type of the bet.'),
    bets: list('Selections of a Bet. Empty for a Settlement.', selection),
    amount: amount('Stake of a Bet; payout or cashout amount of a Settlement.'),
    wager_amount: optional(amount('Part of the amount that is real money.')),
    bonus_wager_amount: optional(amount('Part of the amount that is bonus money.')),
    locked_wager_amount: optional(amount('Part of the amount that is locked money.')),
    currency: currency('Currency of the amounts.'),
    exchange_rate: exchangeRate('Rate at the timestamp that converts the amounts to the base currency.'),
    balance_before: optional(balance('Real balance before the activity.')),
    balance_after: optional(balance('Real balance after the activity.')),
    odds: informational(amount('Total odds of the bet.')),
    outcomes: informational(anything('Outcomes, in any form that the operator uses.')),
    user_bonus_id: optional(id("Identifier of the player's bonus that the bet uses.")),
    device_type: informational(deviceType),
    origin,
    meta,
  },
  across(event, reading) {
    normalizeRate(event, reading);
    if (event.type !== 'Bet') return;
    flagWagerParts(event, reading);
    if (event.bets.length === 0) reading.flag('bets_empty');
  },
  samples: {
    bet: {
      user_id: '7865312321',
      timestamp: '2026-03-02T17:55:10+01:00',
      activity_id: 'b-1001',
      activity_id_reference: '',
      type: 'Bet',
      is_cashout: false,
      bet_type: 'Single',
      bets: [
        {
          event_name: 'Northport - Southport',
          is_free_bet: false,
          is_risk_free_bet: false,
          market: 'Match winner',
          match_start: '2026-03-02T18:00:00+01:00',
          outcome: 'Northport',
          sports_name: 'Football',
          tournament_name: 'Harbour League',
          odds: 1.95,
          is_live: false,
        },
      ],
      amount: 10,
      wager_amount: 10,
      bonus_wager_amount: 0,
      locked_wager_amount: 0,
      currency: 'EUR',
      exchange_rate: 1,
      balance_before: 55.95,
      balance_after: 45.95,
      origin: 'www.example.com',
    },
    settlement: {
      user_id: '7865312321',
      timestamp: '2026-03-02T19:58:00+01:00',
      activity_id: 'b-1002',
      activity_id_reference: 'b-1001',
      type: 'Settlement',
      is_cashout: false,
      bet_type: 'Single',
      bets: [],
      amount: 19.5,
      wager_amount: 19.5,
      bonus_wager_amount: 0,
      locked_wager_amount: 0,
      currency: 'EUR',
      exchange_rate: 1,
      balance_before: 45.95,
      balance_after: 65.45,
      origin: 'www.example.com',
    },
    cashout: {
      user_id: '7865312321',
      timestamp: '2026-03-02T18:40:00+01:00',
      activity_id: 'b-1004',
      activity_id_reference: 'b-1003',
      type: 'Settlement',
      is_cashout: true,
      bet_type: 'Combo',
      bets: [],
      amount: 6.4,
      currency: 'EUR',
      exchange_rate: 1,
      origin: 'www.example.com',
    },
  },
});
