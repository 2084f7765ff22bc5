import type { Trait } from './trait.ts';
import { amount, count, daysSince, moment } from './wording.ts';

const counted = 'carts of type Checkout with status Successful';

const theLast = `the latest of the ${counted}; if several have that time, a fixed rule selects one`;

const lastCart = moment(
  { name: 'cart_last_at', meaning: 'Time of the latest cart.', formula: `latest of ${counted}` },
  { last: ['cart.cart_last_at'] },
);

export const cartTraits: readonly Trait[] = [
  count({ name: 'cart_count', meaning: 'Number of carts bought.', formula: `count of ${counted}` }, 'cart.cart_count'),
  count(
    {
      name: 'cart_item_count',
      meaning: 'Number of items in the carts bought.',
      formula: `count of items of ${counted}`,
    },
    'cart.item_count',
  ),
  amount(
    { name: 'cart_sum', meaning: 'Sum of the carts bought.', formula: `sum of amount x exchange_rate of ${counted}` },
    { sum: ['cart.cart_sum'] },
  ),
  amount(
    { name: 'cart_average', meaning: 'Average cart.', formula: 'cart_sum / cart_count; null if there is no cart' },
    { ratio: { sum: ['cart.cart_sum'] }, to: { sum: ['cart.cart_count'] } },
  ),
  amount(
    {
      name: 'cart_discount_sum',
      meaning: 'Discounts on the carts bought.',
      formula: `sum of discount_amount x exchange_rate of ${counted}`,
    },
    { sum: ['cart.discount_sum'] },
  ),
  moment(
    { name: 'cart_first_at', meaning: 'Time of the first cart.', formula: `earliest of ${counted}` },
    { first: ['cart.cart_first_at'] },
  ),
  lastCart,
  {
    name: 'cart_last_amount',
    kind: 'amount',
    unit: 'base_currency',
    windows: 'lifetime',
    meaning: 'Value of the latest cart.',
    formula: `amount x exchange_rate of ${theLast}`,
    source: { from: 'cart', show: 'base_amount' },
  },
  {
    name: 'cart_last_item_count',
    kind: 'number',
    unit: 'count',
    windows: 'lifetime',
    meaning: 'Number of items in the latest cart.',
    formula: `number of items of ${theLast}`,
    source: { from: 'cart', show: 'item_count' },
  },
  {
    name: 'cart_last_items',
    kind: 'breakdown',
    unit: 'count',
    windows: 'lifetime',
    meaning: 'Items in the latest cart: number by name.',
    formula: `number of items with each name in ${theLast}. The type replaces a missing name. Items without a name and a type are omitted`,
    source: { from: 'cart_items' },
  },
  daysSince('days_since_cart', lastCart, 'Days since the latest cart; 0 is today.'),
];
