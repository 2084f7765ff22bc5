import { factReading } from './fact.ts';

export const cart = (baseCurrency: string) =>
  factReading({
    name: 'cart',
    title: 'carts',
    meaning: 'Carts of any type and status, one per message of the operator. `counted` are successful checkouts.',
    from: 'cart',
    inForce: 'true',
    at: 'at',
    columns: {
      cart_id: ['text', 'the cart id'],
      type: ['text', 'the type'],
      status: ['text', 'the status'],
      counted: ['flag', 'counted'],
      timestamp: ['moment', 'its time', 'at'],
      amount: ['number', 'the amount in its own currency'],
      currency: ['text', 'the currency'],
      exchange_rate: ['number', 'the exchange rate'],
      base_amount: ['amount', 'the amount'],
      discount_amount: ['number', 'the discount in its own currency'],
      base_discount: ['amount', 'the discount'],
      bonus_code: ['text', 'the bonus code'],
      device_type: ['text', 'the device type'],
      origin: ['text', 'the origin'],
      item_count: ['number', 'the number of items', 'item_count::numeric'],
    },
    baseCurrency,
  });
