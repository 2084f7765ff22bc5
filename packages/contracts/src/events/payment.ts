import { currency } from '../fields/currency.ts';
import { informational, optional } from '../fields/field.ts';
import { id } from '../fields/id.ts';
import { integer } from '../fields/integer.ts';
import { amount, exchangeRate } from '../fields/money.ts';
import { closedSet } from '../fields/set.ts';
import { freeText, label } from '../fields/text.ts';
import { meta, origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';
import { normalizeRate } from './money-rules.ts';

export const paymentStatuses = ['Requested', 'Approved', 'Rejected', 'Rollback', 'Cancelled'] as const;
export const paymentTypes = ['Credit', 'Debit'] as const;

export const payment = message({
  kind: 'payment',
  fields: {
    user_id: userId,
    timestamp,
    payment_id: optional(
      id('Identifier of the payment. Without it, the payment counts only if its status is Approved.'),
    ),
    type: closedSet(paymentTypes, 'Credit is a deposit. Debit is a withdrawal.'),
    status: closedSet(paymentStatuses, 'State that the payment reached.'),
    amount: amount('Amount in `currency`.'),
    currency: currency('Currency of the transaction.'),
    exchange_rate: exchangeRate('Rate at the timestamp that converts the amount to the base currency.'),
    vendor_id: id('Identifier of the payment vendor.'),
    vendor_name: informational(label('Name of the payment vendor.')),
    origin,
    fee_amount: optional(amount('Fee in `currency`.')),
    bonus_code: optional(id('Bonus code given with the payment.')),
    deposit_count: informational(integer("The player's number of deposits, counted by the operator.")),
    withdraw_count: informational(integer("The player's number of withdrawals, counted by the operator.")),
    note: informational(freeText('Free text, such as insufficient_funds.')),
    meta,
  },
  across(event, reading) {
    normalizeRate(event, reading);
    if (event.payment_id === undefined) reading.flag('payment_without_id');
  },
  samples: {
    deposit_approved: {
      user_id: '7865312321',
      timestamp: '2026-03-02T08:31:12.500Z',
      payment_id: '23541',
      type: 'Credit',
      status: 'Approved',
      amount: 50.25,
      currency: 'SEK',
      exchange_rate: 0.0894,
      vendor_id: '17',
      vendor_name: 'Example Pay',
      origin: 'www.example.com',
      fee_amount: 0.5,
      bonus_code: 'WELCOME100',
      deposit_count: 3,
      withdraw_count: 1,
      note: '',
    },
    withdrawal_requested: {
      user_id: '7865312321',
      timestamp: '2026-03-03T10:00:00+01:00',
      payment_id: '23599',
      type: 'Debit',
      status: 'Requested',
      amount: 20,
      currency: 'EUR',
      exchange_rate: 1,
      vendor_id: '17',
      origin: 'www.example.com',
    },
  },
});
