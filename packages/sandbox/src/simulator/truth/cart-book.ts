import type { DecimalText, Micros } from '@croupier/contracts';
import { baseText, type Hundredths, type Millionths, toBase } from '../money.ts';

/** The shop's book of one player: all published carts. Ids are reused, so a cart is identified by its id and time. */
export interface CartTruth {
  cart_id: string;
  status: string;
  at: Micros;
  /** In base currency. */
  amount: DecimalText;
  items: number;
}

export interface CartTotals {
  cart_count: number;
  item_count: number;
  cart_sum: DecimalText;
  discount_sum: DecimalText;
  cart_first_at: Micros | null;
  cart_last_at: Micros | null;
}

export interface CartEntry {
  cart_id: string;
  status: 'Pending' | 'Successful';
  at: Micros;
  amount: Hundredths;
  discount: Hundredths;
  rate: Millionths;
  items: number;
}

export type CartBook = ReturnType<typeof createCartBook>;

export function createCartBook() {
  const entries: CartEntry[] = [];
  return {
    published(cart: CartEntry): void {
      entries.push(cart);
    },
    carts: (): CartTruth[] =>
      entries.map(({ cart_id, status, at, amount, rate, items }) => {
        return { cart_id, status, at, amount: baseText(toBase(amount, rate)), items };
      }),
    /** Returns the totals. Only a paid cart counts, because it is a purchase. */
    totals: (): CartTotals => {
      const paid = entries.filter(({ status }) => status === 'Successful');
      const sum = (what: 'amount' | 'discount') =>
        baseText(paid.reduce((total, cart) => total + toBase(cart[what], cart.rate), 0n));
      return {
        cart_count: paid.length,
        item_count: paid.reduce((count, { items }) => count + items, 0),
        cart_sum: sum('amount'),
        discount_sum: sum('discount'),
        cart_first_at: paid[0]?.at ?? null,
        cart_last_at: paid.at(-1)?.at ?? null,
      };
    },
  };
}
