import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { totalsOf } from '../../totals/index.ts';
import { arrivalOf, decide, nameOf } from './decide.ts';
import { partsOf } from './fact.ts';
import { countedCarts, loadCarts, saveCarts } from './store.ts';

export const cartTotals = totalsOf({
  family: 'cart',
  counts: ['cart_count', 'item_count'],
  sums: ['cart_sum', 'discount_sum'],
  biggest: [],
  dated: ['cart'],
  facts: countedCarts,
});

/** What players bought: see README.md for its rules, cart.ts for what a cart is. */
export const carts: Derivation = {
  family: 'carts',
  kinds: ['cart'],
  tables: [{ name: 'cart' }, ...cartTotals.tables],
  totals: [cartTotals],
  async apply(tx, events, context) {
    const arrivals = eventsOf(events, ['cart']).map(arrivalOf);
    const identities = new Map(arrivals.map(({ identity }) => [nameOf(identity), identity]));
    const held = await loadCarts(tx, [...identities.values()]);
    const { changes, verdicts } = decide(held, arrivals);
    if (changes.length > 0) {
      await saveCarts(
        tx,
        changes.map(({ after }) => after),
      );
      const parts = changes.map(({ brand_id, before, after }) => ({
        brand_id,
        before: partsOf(before),
        after: partsOf(after),
      }));
      await cartTotals.change(tx, parts, context);
    }
    return { verdicts };
  },
};

export type { CartItem, CartPayment, CartVersion } from './cart.ts';
export type { Cart } from './fact.ts';
export { type CartFilter, type CartPlace, type ListedCart, listCarts } from './list.ts';
export { metCart } from './met.ts';
