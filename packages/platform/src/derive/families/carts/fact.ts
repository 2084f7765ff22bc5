import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Decided } from '../../facts/index.ts';
import { inBase } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import type { Verdict } from '../../verdict.ts';
import {
  addCart,
  type CartContent,
  type CartEvent,
  type CartVersion,
  cartEvent,
  cartKey,
  classify,
  counts,
} from './cart.ts';

/** A cart as stored and listed: the row of live.cart. */
export interface Cart extends CartContent {
  player_id: number;
  cart_key: string;
  /** True for a successful checkout. */
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
  /** The number of stored versions that are not in force because their money differs. */
  conflicts: number;
  versions: readonly CartVersion[];
}

export type CartKey = 'player_id' | 'cart_key';

/** What an event says about its cart. */
export interface CartSaid extends Pick<Cart, CartKey>, CartEvent {}

export function cartSaid(source: DerivedEvent<'cart'>): CartSaid {
  const { player_id, event } = source;
  return { player_id, cart_key: cartKey(event), ...cartEvent(event, fingerprintOf(source)) };
}

/** Decides how events change a cart. The cart shows the content of the version in force. */
export function decideCart(before: Cart | undefined, said: readonly CartSaid[], timeZone: string): Decided<Cart> {
  const known = before?.versions ?? [];
  let versions = known;
  let content: CartContent | undefined = before;
  const verdicts = said.map((cart): Verdict => {
    const outcome = classify(versions, cart.version);
    versions = addCart(versions, cart.version);
    if (versions[0] === cart.version) content = cart.content;
    return outcome === 'new' ? 'applied' : outcome;
  });
  const [first] = said;
  if (first === undefined || content === undefined || versions === known) return { after: undefined, verdicts };
  return { after: cartFact(first, versions, content, timeZone), verdicts };
}

/** @param versions at least one, in canonical order. `content` is the content of the first version */
function cartFact(
  { player_id, cart_key }: Pick<Cart, CartKey>,
  versions: readonly CartVersion[],
  content: CartContent,
  timeZone: string,
): Cart {
  const { timestamp, amount, discount_amount, currency, exchange_rate } = versions[0] as CartVersion;
  return {
    player_id,
    cart_key,
    cart_id: content.cart_id,
    type: content.type,
    status: content.status,
    counted: counts(content),
    at: timestamp,
    day: dayOf(timeZone, timestamp),
    amount,
    currency,
    exchange_rate,
    base_amount: inBase(amount, exchange_rate),
    discount_amount,
    base_discount: inBase(discount_amount, exchange_rate),
    bonus_code: content.bonus_code,
    device_type: content.device_type,
    origin: content.origin,
    item_count: content.items.length,
    items: content.items,
    payments: content.payments,
    meta: content.meta,
    conflicts: versions.length - 1,
    versions,
  };
}

/**
 * What a cart adds to the totals of its player: nothing unless it is a successful checkout. Its payments are not
 * deposits.
 */
export function partsOf(cart: Cart | undefined): Part[] {
  if (cart === undefined || !cart.counted) return [];
  const { player_id, at, day, item_count, base_amount, base_discount } = cart;
  return [
    {
      player_id,
      at,
      day,
      counts: { cart_count: 1, item_count },
      sums: { cart_sum: base_amount, discount_sum: base_discount },
      dated: ['cart'],
    },
  ];
}
