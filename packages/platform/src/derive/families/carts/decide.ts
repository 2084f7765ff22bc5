import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Verdict } from '../../verdict.ts';
import { addCart, type CartContent, type CartEvent, cartEvent, cartKey, meet } from './cart.ts';
import { type Cart, type CartIdentity, cartFact } from './fact.ts';

export interface Arrival extends CartEvent {
  source: DerivedEvent<'cart'>;
  identity: CartIdentity;
}

export interface CartChange {
  brand_id: number;
  before: Cart | undefined;
  after: Cart;
}

export interface CartDecision {
  /** Carts that are no longer as they were; repeats change none. */
  changes: CartChange[];
  verdicts: Map<DerivedEvent, Verdict>;
}

export function arrivalOf(source: DerivedEvent<'cart'>): Arrival {
  const { player_id, event } = source;
  return {
    source,
    identity: { player_id, cart_key: cartKey(event) },
    ...cartEvent(event, fingerprintOf(source)),
  };
}

export function nameOf({ player_id, cart_key }: CartIdentity): string {
  return `${player_id}:${cart_key}`;
}

/**
 * Applies a batch to the carts it touches. Pure: from the carts held before, by `nameOf`, and the events that arrived, to the
 * carts afterwards.
 */
export function decide(held: ReadonlyMap<string, Cart>, arrivals: readonly Arrival[]): CartDecision {
  const decision: CartDecision = { changes: [], verdicts: new Map() };
  for (const [name, own] of Map.groupBy(arrivals, ({ identity }) => nameOf(identity))) {
    decideOne(held.get(name), own, decision);
  }
  return decision;
}

function decideOne(before: Cart | undefined, arrivals: readonly Arrival[], decision: CartDecision): void {
  const first = arrivals[0];
  if (first === undefined) return;
  const known = before?.versions ?? [];
  let versions = known;
  let content: CartContent = before ?? first.content;
  for (const arrival of arrivals) {
    const met = meet(versions, arrival.version);
    if (met !== 'new') decision.verdicts.set(arrival.source, met);
    versions = addCart(versions, arrival.version);
    if (versions[0] === arrival.version) content = arrival.content;
  }
  if (versions === known) return;
  const after = cartFact(first.identity, versions, contentOf(content), first.source.settings.time_zone);
  decision.changes.push({ brand_id: first.source.brand_id, before, after });
}

function contentOf(content: CartContent): CartContent {
  const { cart_id, type, status, bonus_code, device_type, origin, items, payments, meta } = content;
  return { cart_id, type, status, bonus_code, device_type, origin, items, payments, meta };
}
