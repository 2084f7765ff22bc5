import { currency } from '../fields/currency.ts';
import { informational, optional } from '../fields/field.ts';
import { id, numericId } from '../fields/id.ts';
import { amount, exchangeRate } from '../fields/money.ts';
import { list, record } from '../fields/record.ts';
import { openSet } from '../fields/set.ts';
import { freeText, label } from '../fields/text.ts';
import { meta, origin, timestamp, userId } from './every-event.ts';
import { deviceType } from './gameround.ts';
import { message } from './message.ts';
import { normalizeRate } from './money-rules.ts';

const cartPayment = record('One payment of the cart.', {
  type: informational(openSet(['Wallet', 'Deposit', 'VirtualCurrency'], 'Means of payment.')),
  amount: optional(amount('Amount paid.')),
  meta,
});

const cartItem = record('One item of the cart.', {
  id: optional(numericId('Identifier of the item.')),
  type: informational(openSet(['Scratch', 'Lottery'], 'Type of the item.')),
  name: informational(label('Name of the item.')),
  description: informational(freeText('Description of the item.')),
  amount: optional(amount('Price of the item.')),
  discount_amount: optional(amount('Discount on the item.')),
  bonus_code: optional(id('Bonus code used; empty if none.')),
  meta,
});

export const cart = message({
  kind: 'cart',
  fields: {
    user_id: userId,
    timestamp,
    cart_id: numericId('Identifier of the cart. Operators may reuse ids.'),
    type: openSet(['Checkout'], 'What happened to the cart.'),
    status: openSet(['Successful'], 'Result.'),
    items: list('Items of the cart.', cartItem),
    payments: list('Payments of the cart.', cartPayment),
    amount: amount('Price of the cart in `currency`.'),
    discount_amount: optional(amount('Discount. It is not part of the amount.')),
    bonus_code: optional(id('Bonus code used; empty if none.')),
    currency: currency('Currency of the amounts.'),
    exchange_rate: exchangeRate('Rate at the timestamp that converts the amounts to the base currency.'),
    device_type: informational(deviceType),
    origin: informational(origin),
    meta,
  },
  across: normalizeRate,
  samples: {
    checkout: {
      user_id: '7865312321',
      timestamp: '2026-03-02T13:00:00+01:00',
      cart_id: 33001,
      type: 'Checkout',
      status: 'Successful',
      items: [
        {
          id: 1,
          type: 'Scratch',
          name: 'Golden Scratch',
          description: 'Three in a row wins',
          amount: 5,
          discount_amount: 1,
          bonus_code: '',
          meta: { quantity: 1 },
        },
      ],
      payments: [{ type: 'Wallet', amount: 4, meta: {} }],
      amount: 4,
      discount_amount: 1,
      bonus_code: '',
      currency: 'EUR',
      exchange_rate: 1,
      device_type: 'mobile',
      origin: 'www.example.com',
      meta: { store: 'main' },
    },
  },
});
