import { createHash } from 'node:crypto';
import type { DecimalText, EventOf } from '@croupier/contracts';
import { sumOf } from '../../money.ts';
import { addVersion, arrivalAmong, type Version } from '../../versions.ts';

/*
 * What a cart is, from nothing but the set of its events (docs/reference/decisions.md 2.3 and 2.4).
 *
 * Operators re-use cart ids, so a cart is (cart_id, type, status, timestamp): each message is a fact of its own, and there is
 * no state that one message would change in another. Only a successful checkout counts: type Checkout, status Successful.
 * Both sets are open; whatever else is sent (Pending, Refunded, AddItem) is listed and counts nowhere, because nobody has
 * told which of it moves money.
 *
 * Of several versions of one cart the one that stands is the first in canonical order. That order only ever gains members,
 * so a version that lost can never stand again: of it the money is kept, of the one that stands everything.
 */
export type CartItem = EventOf<'cart'>['items'][number];
export type CartPayment = EventOf<'cart'>['payments'][number];

/** The money of one version of a cart: what a contradiction is about. */
export interface CartVersion extends Version {
  amount: DecimalText;
  discount_amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
}

/** One event, read: its money, and what the cart holds if it stands. */
export interface CartEvent {
  version: CartVersion;
  content: CartContent;
}

export interface CartContent {
  cart_id: string;
  type: string;
  status: string;
  bonus_code: string | null;
  device_type: string | null;
  origin: string | null;
  items: readonly CartItem[];
  payments: readonly CartPayment[];
  meta: Readonly<Record<string, unknown>> | null;
}

function isSameMoney(a: CartVersion, b: CartVersion): boolean {
  return (
    a.amount === b.amount &&
    a.discount_amount === b.discount_amount &&
    a.currency === b.currency &&
    a.exchange_rate === b.exchange_rate
  );
}

/** Adds a version to those of its cart. Returns the same array when nothing changes. */
export function addCart(versions: readonly CartVersion[], version: CartVersion): readonly CartVersion[] {
  return addVersion(versions, version, isSameMoney);
}

/** How an event met its cart: `new`, or a `repeat` or `conflict` of a version held before. */
export function meet(before: readonly CartVersion[], version: CartVersion): 'new' | 'repeat' | 'conflict' {
  return arrivalAmong(before, version, isSameMoney);
}

/** Known values have the interface's spelling by the time an event is read, whatever their letter case was. */
export function counts({ type, status }: Pick<CartContent, 'type' | 'status'>): boolean {
  return type === 'Checkout' && status === 'Successful';
}

/** The key of a cart within its player, 128 bits in hex. Types and statuses are compared without letter case. */
export function cartKey({ cart_id, type, status, timestamp }: EventOf<'cart'>): string {
  const words = `${type.toLowerCase()}\n${status.toLowerCase()}\n${timestamp}\n${cart_id}`;
  return createHash('sha256').update(words).digest('hex').slice(0, 32);
}

export function cartEvent(event: EventOf<'cart'>, fingerprint: string): CartEvent {
  const { timestamp, amount, currency, exchange_rate, cart_id, type, status, items, payments } = event;
  const { bonus_code = null, device_type = null, origin = null, meta = null } = event;
  return {
    version: { timestamp, amount, discount_amount: discountOf(event), currency, exchange_rate, fingerprint },
    content: { cart_id, type, status, bonus_code, device_type, origin, items, payments, meta },
  };
}

/**
 * The cart's own discount; where it tells none, that of its items. It is never subtracted from the amount, which is what
 * the player pays (docs/reference/decisions.md 3).
 */
function discountOf({ discount_amount, items }: EventOf<'cart'>): DecimalText {
  return discount_amount ?? sumOf(items.map((item) => item.discount_amount ?? '0'));
}
