import { factFamily, factTable } from '../../facts/index.ts';
import { totalsOf } from '../../totals/index.ts';
import { type Cart, type CartKey, cartSaid, decideCart, partsOf } from './fact.ts';

export const cartTotals = totalsOf({
  family: 'cart',
  counts: ['cart_count', 'item_count'],
  sums: ['cart_sum', 'discount_sum'],
  biggest: [],
  dated: ['cart'],
  facts: 'select player_id, at, day, at as cart_at from cart where counted',
});

/** Carts of players. README.md states the rules, cart.ts defines a cart. */
export const carts = factFamily({
  family: 'carts',
  kinds: ['cart'],
  table: factTable<Cart, CartKey>({
    name: 'cart',
    key: { player_id: 'bigint', cart_key: 'hash' },
    columns: {
      cart_id: 'text',
      type: 'text',
      status: 'text',
      counted: 'boolean',
      at: 'timestamptz',
      day: 'date',
      amount: 'numeric',
      currency: 'text',
      exchange_rate: 'numeric',
      base_amount: 'numeric',
      discount_amount: 'numeric',
      base_discount: 'numeric',
      bonus_code: 'text',
      device_type: 'text',
      origin: 'text',
      item_count: 'int',
      items: 'jsonb',
      payments: 'jsonb',
      meta: 'jsonb',
      conflicts: 'int',
      versions: 'jsonb',
    },
  }),
  read: (source) => [cartSaid(source)],
  decide: decideCart,
  counted: [{ totals: cartTotals, partsOf }],
});

export { type CartItem, type CartPayment, type CartVersion, counts } from './cart.ts';
export type { Cart } from './fact.ts';
export { type LastCart, lastCartSql, readLastCart } from './last.ts';
export { type CartFilter, type CartPlace, type ListedCart, listCarts } from './list.ts';
export { cartOfEvent } from './of-event.ts';
