import { currency } from '../fields/currency.ts';
import { optional } from '../fields/field.ts';
import { id } from '../fields/id.ts';
import { amount, exchangeRate } from '../fields/money.ts';
import { record } from '../fields/record.ts';
import { openSet } from '../fields/set.ts';
import { meta, origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';
import { normalizeRate } from './money-rules.ts';

export const bonusProducts = ['Casino', 'Sportsbook', 'Lotto', 'Poker'] as const;
/** The statuses of a bonus. Their order decides between events with the same time (docs/reference/decisions.md 2.9). */
export const bonusStatuses = [
  'Pending',
  'Created',
  'Ongoing',
  'Completed',
  'AutoCompleted',
  'Forfeited',
  'Expired',
  'Lost',
  'Reversed',
] as const;
export const bonusTypes = [
  'NoDeposit',
  'WelcomeBonus',
  'CashbackBonus',
  'ReloadBonus',
  'WagerFree',
  'FreeSpins',
  'RiskFreeBet',
  'Undefined',
] as const;

const reference = (of: string) => optional(id(`The ${of} that the platform sent with its bonus call.`));

export const bonus = message({
  kind: 'bonus',
  fields: {
    user_id: userId,
    timestamp,
    user_bonus_id: id("Identifier of the player's bonus: one grant of a bonus to one player."),
    bonus_id: id('Identifier of the offered bonus.'),
    bonus_code: optional(id('Code of the bonus.')),
    product: openSet(bonusProducts, 'Product that the bonus is for.'),
    type: openSet(bonusTypes, 'Type of the bonus.'),
    status: openSet(bonusStatuses, 'State that the bonus reached.'),
    amount: amount('Amount of the bonus in `currency`.'),
    bonus_turned_real: optional(amount('Bonus money that became real money.')),
    locked_amount: optional(amount('Real money locked by the bonus.')),
    required_wagering_amount: optional(amount('Amount to be wagered before the bonus becomes real money.')),
    currency: currency('Currency of the amounts.'),
    exchange_rate: exchangeRate('Rate at the timestamp that converts the amounts to the base currency.'),
    origin,
    crm_references: optional(
      record('References of the platform call that caused the bonus, from the headers of that call.', {
        id: reference('X-Crm-Id'),
        activity_id: reference('X-Crm-Activityid'),
        action_id: reference('X-Crm-Actionid'),
        action_group_id: reference('X-Crm-Actiongroupid'),
        trigger_hash: reference('X-Crm-Triggerhash'),
      }),
    ),
    meta,
  },
  across: normalizeRate,
  samples: {
    bonus_forfeited: {
      user_id: '7865312321',
      timestamp: '2026-03-02T09:00:00+01:00',
      user_bonus_id: '4451',
      bonus_id: '12',
      bonus_code: 'WELCOME100',
      product: 'Casino',
      type: 'WelcomeBonus',
      status: 'Forfeited',
      amount: 100,
      bonus_turned_real: 0,
      locked_amount: 20,
      required_wagering_amount: 3500,
      currency: 'EUR',
      exchange_rate: 1,
      origin: 'www.example.com',
    },
  },
});
