import { currency } from '../fields/currency.ts';
import { informational, optional } from '../fields/field.ts';
import { id } from '../fields/id.ts';
import { integer } from '../fields/integer.ts';
import { amount, exchangeRate } from '../fields/money.ts';
import { list, record } from '../fields/record.ts';
import { openSet } from '../fields/set.ts';
import { label } from '../fields/text.ts';
import { moment } from '../fields/timestamp.ts';
import { meta, origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';
import { normalizeRate } from './money-rules.ts';

const draw = record('One draw that the ticket takes part in.', { timestamp: optional(moment('Time of the draw.')) });

const ticket = record('One ticket of the purchase.', {
  ticket_id: id('Identifier of the ticket.'),
  product: informational(label('Product, such as SingleTicket.')),
  product_name: informational(label('Name of the product.')),
  amount: optional(amount('Price of the ticket in `currency`.')),
  lines_count: informational(integer('Number of lines on the ticket.')),
  draws: optional(list('Draws that the ticket takes part in.', draw)),
});

export const lotteryPurchase = message({
  kind: 'lottery_purchase',
  fields: {
    user_id: userId,
    timestamp,
    transaction_id: id('Identifier of the purchase.'),
    status: openSet(['Approved', 'Rejected'], 'State of the purchase.'),
    tickets: list('Tickets of the purchase.', ticket),
    amount: amount('Price of the purchase in `currency`.'),
    account_amount: optional(amount('Part paid from the account.')),
    bonus_amount: optional(amount('Part paid with bonus money.')),
    deposit_amount: optional(amount('Part paid by a direct deposit. It does not count as a deposit.')),
    bonus_code: optional(id('Bonus code used; empty if none.')),
    currency: currency('Currency of the amounts.'),
    exchange_rate: exchangeRate('Rate at the timestamp that converts the amounts to the base currency.'),
    origin,
    meta,
  },
  across: normalizeRate,
  samples: {
    purchase: {
      user_id: '7865312321',
      timestamp: '2026-03-02T12:00:00+01:00',
      transaction_id: 't-90001',
      status: 'Approved',
      tickets: [
        {
          ticket_id: 'tk-1',
          product: 'SingleTicket',
          product_name: 'Example Lotto',
          amount: 4,
          lines_count: 2,
          draws: [{ timestamp: '2026-03-04T20:00:00+01:00' }, { timestamp: '2026-03-07T20:00:00+01:00' }],
        },
      ],
      amount: 4,
      account_amount: 3,
      bonus_amount: 1,
      bonus_code: '',
      deposit_amount: 0,
      currency: 'EUR',
      exchange_rate: 1,
      origin: 'www.example.com',
    },
  },
});
