import { currency } from '../fields/currency.ts';
import { optional } from '../fields/field.ts';
import { id } from '../fields/id.ts';
import { integer } from '../fields/integer.ts';
import { amount, exchangeRate } from '../fields/money.ts';
import { closedSet } from '../fields/set.ts';
import { timestamp, userId } from './every-event.ts';
import { message } from './message.ts';
import { normalizeRate } from './money-rules.ts';

export const fundsStatuses = ['Approved', 'Rollback'] as const;

/**
 * Funds that the platform credited to a player's wallet by POST /bonus/credit/funds. They are a bonus cost
 * (docs/reference/decisions.md 3). The platform itself writes this event. What is known about a call may change later,
 * for example if a match turns out to belong to another intent. So each intent numbers its reports, and the report with
 * the highest revision is in force.
 */
export const fundsCredited = message({
  kind: 'funds_credited',
  fields: {
    user_id: userId,
    timestamp,
    intent_id: id('Bonus intent that credited the funds.'),
    revision: integer('Number of reports by this intent. The highest revision counts.'),
    status: closedSet(fundsStatuses, 'Approved: credited. Rollback: not credited.'),
    amount: amount('Amount in `currency`.'),
    currency: currency('Currency of the funds.'),
    exchange_rate: exchangeRate('Rate that converts the amount to the base currency.'),
    bonus_code: optional(id('Code of the bonus that the funds were credited for.')),
  },
  across: normalizeRate,
  samples: {
    funds_credited: {
      user_id: '7865312321',
      timestamp: '2026-03-02T09:15:00.25Z',
      intent_id: '481',
      revision: 1,
      status: 'Approved',
      amount: 10,
      currency: 'SEK',
      exchange_rate: 0.0894,
      bonus_code: 'CASHBACK10',
    },
  },
});
