import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { inBase } from '../../money.ts';
import type { CartItem, CartPayment } from './cart.ts';
import type { Cart } from './fact.ts';

/** An amount of the cart's currency, converted to the base currency at the cart's rate. */
interface BaseAmounts {
  base_amount: DecimalText | null;
}

/** One cart as shown to people. Times are Micros, `base_` amounts are in the brand's base currency. */
export type ListedCart = Omit<Cart, 'player_id' | 'items' | 'payments'> & {
  items: (CartItem & BaseAmounts & { base_discount: DecimalText | null })[];
  payments: (CartPayment & BaseAmounts)[];
};

export interface CartFilter {
  type?: string;
  status?: string;
  cart_id?: string;
  /** Only carts that count, or only those that do not. */
  counted?: boolean;
  /** Only carts with conflicting versions. */
  conflicting?: boolean;
  /** Bounds of the cart's time, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/** The last cart of a page. The next page starts after it. */
export type CartPlace = Pick<Cart, 'at' | 'cart_key'>;

/** The player's carts, newest first. The filters for type and status ignore upper and lower case. */
export async function listCarts(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
  filter: CartFilter,
  limit: number,
  after?: CartPlace,
): Promise<ListedCart[]> {
  const { rows } = await db.query<Omit<Cart, 'player_id'>>(
    `select encode(cart_key, 'hex') as cart_key, cart_id, type, status, counted, at, day, amount, currency, exchange_rate,
            base_amount, discount_amount, base_discount, bonus_code, device_type, origin, item_count, items, payments,
            meta, conflicts, versions
     from cart
     where player_id = $1
       and ($2::text is null or lower(type) = lower($2))
       and ($3::text is null or lower(status) = lower($3))
       and ($4::text is null or cart_id = $4)
       and ($5::boolean is null or counted = $5)
       and ($6::boolean is null or (conflicts > 0) = $6)
       and at >= coalesce($7::timestamptz, '-infinity')
       and at <= least($8::timestamptz, $9::timestamptz, 'infinity')
       and ($9::timestamptz is null or (at, cart_key) < ($9, decode($10, 'hex')))
     order by at desc, cart_key desc
     limit $11`,
    [
      playerId,
      filter.type ?? null,
      filter.status ?? null,
      filter.cart_id ?? null,
      filter.counted ?? null,
      filter.conflicting ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(after?.at),
      after?.cart_key ?? null,
      limit,
    ],
  );
  return rows.map((cart) => ({
    ...cart,
    items: cart.items.map((item) => ({
      ...item,
      base_amount: baseValue(item.amount, cart.exchange_rate),
      base_discount: baseValue(item.discount_amount, cart.exchange_rate),
    })),
    payments: cart.payments.map((payment) => ({
      ...payment,
      base_amount: baseValue(payment.amount, cart.exchange_rate),
    })),
  }));
}

function baseValue(amount: DecimalText | undefined, rate: DecimalText): DecimalText | null {
  return amount === undefined ? null : inBase(amount, rate);
}

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}
