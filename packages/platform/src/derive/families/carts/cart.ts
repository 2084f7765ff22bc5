import { createHash } from 'node:crypto';
import type { DecimalText, EventOf } from '@croupier/contracts';
import { sumOf } from '../../money.ts';
import { addVersion, arrivalAmong, type Version } from '../../versions.ts';

/*
 * What a cart is, computed only from the set of its events (docs/reference/decisions.md 2.3 and 2.4).
 *
 * Operators reuse cart ids, so the key of a cart is (cart_id, type, status, timestamp). Each message is a separate fact, and no
 * message changes the state of another. Only a successful checkout counts: type Checkout, status Successful. Both enumerations are
 * open. Other values (Pending, Refunded, AddItem) are listed and count nowhere, because it is not defined which of them moves money.
 *
 * Of several versions of one cart, the first in canonical order is in force. Versions are added to that order and never removed.
 * So a version that is no longer in force can never be in force again, and only its money is stored. The version in force is
 * stored completely.
 */
export type CartItem = EventOf<'cart'>['items'][number];
export type CartPayment = EventOf<'cart'>['payments'][number];

/** The money of one version of a cart. Versions contradict each other if it differs. */
export interface CartVersion extends Version {
  amount: DecimalText;
  discount_amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
}

/** One event as read: its money, and what the cart contains if this version is in force. */
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

/** Adds a version to the versions of its cart. Returns the same array if nothing changes. */
export function addCart(versions: readonly CartVersion[], version: CartVersion): readonly CartVersion[] {
  return addVersion(versions, version, isSameMoney);
}

/** Compares an event with the stored versions of its cart: `new`, or a `repeat` or `conflict` of one of them. */
export function classify(before: readonly CartVersion[], version: CartVersion): 'new' | 'repeat' | 'conflict' {
  return arrivalAmong(before, version, isSameMoney);
}

/** This comparison does not need to ignore case, because reading the event gave known values the interface's spelling. */
export function counts({ type, status }: Pick<CartContent, 'type' | 'status'>): boolean {
  return type === 'Checkout' && status === 'Successful';
}

/** The key of a cart within its player, 128 bits in hex. It ignores upper and lower case of type and status. */
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
 * The cart's own discount; if it has none, the sum of its items' discounts. It is never subtracted from the amount,
 * which is what the player pays (docs/reference/decisions.md 3).
 */
function discountOf({ discount_amount, items }: EventOf<'cart'>): DecimalText {
  return discount_amount ?? sumOf(items.map((item) => item.discount_amount ?? '0'));
}
