import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import { inBase } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import { type CartContent, type CartVersion, counts } from './cart.ts';

/** A cart as it is stored and listed: the row of live.cart. */
export interface Cart extends CartContent {
  player_id: number;
  cart_key: string;
  /** A successful checkout. */
  counted: boolean;
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  discount_amount: DecimalText;
  base_discount: DecimalText;
  item_count: number;
  /** Versions kept that lost against another one because their money differs. */
  conflicts: number;
  versions: readonly CartVersion[];
}

export type CartIdentity = Pick<Cart, 'player_id' | 'cart_key'>;

/** @param versions at least one, in canonical order; `content` is that of the first. */
export function cartFact(
  identity: CartIdentity,
  versions: readonly CartVersion[],
  content: CartContent,
  timeZone: string,
): Cart {
  const { timestamp, amount, discount_amount, currency, exchange_rate } = versions[0] as CartVersion;
  return {
    ...identity,
    ...content,
    counted: counts(content),
    at: timestamp,
    day: dayOf(timeZone, timestamp),
    amount,
    currency,
    exchange_rate,
    base_amount: inBase(amount, exchange_rate),
    discount_amount,
    base_discount: inBase(discount_amount, exchange_rate),
    item_count: content.items.length,
    conflicts: versions.length - 1,
    versions,
  };
}

/** What a cart adds to the totals of its player: nothing unless it is a successful checkout. Its payments are no deposits. */
export function partsOf(cart: Cart | undefined): Part[] {
  if (cart === undefined || !cart.counted) return [];
  const { player_id, at, day, item_count, base_amount, base_discount } = cart;
  return [
    {
      ...{ player_id, at, day },
      counts: { cart_count: 1, item_count },
      sums: { cart_sum: base_amount, discount_sum: base_discount },
      dated: ['cart'],
    },
  ];
}
