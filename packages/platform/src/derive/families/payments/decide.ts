import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Verdict } from '../../verdict.ts';
import { type Payment, type PaymentIdentity, paymentFact } from './fact.ts';
import { addEvent, meet, type PaymentEvent, paymentEvent, paymentKey } from './payment.ts';

export interface Arrival {
  source: DerivedEvent<'payment'>;
  identity: PaymentIdentity;
  event: PaymentEvent;
}

export interface PaymentChange {
  brand_id: number;
  before: Payment | undefined;
  after: Payment;
}

export interface PaymentDecision {
  /** Payments that are no longer as they were; repeats change none. */
  changes: PaymentChange[];
  verdicts: Map<DerivedEvent, Verdict>;
  /** Orphans of earlier batches that have found their payment. */
  resolved: { brand_id: number; orphans: number }[];
}

export function arrivalOf(source: DerivedEvent<'payment'>): Arrival {
  const fingerprint = fingerprintOf(source);
  const { type, payment_id = null } = source.event;
  return {
    source,
    identity: { player_id: source.player_id, payment_key: paymentKey(source.event, fingerprint), payment_id, type },
    event: paymentEvent(source.event, fingerprint),
  };
}

export function nameOf({ player_id, payment_key }: Pick<Payment, 'player_id' | 'payment_key'>): string {
  return `${player_id}:${payment_key}`;
}

/**
 * Applies a batch to the payments it touches. Pure: from the payments held before, by `nameOf`, and the events that
 * arrived, to the payments afterwards.
 */
export function decide(held: ReadonlyMap<string, Payment>, arrivals: readonly Arrival[]): PaymentDecision {
  const decision: PaymentDecision = { changes: [], verdicts: new Map(), resolved: [] };
  for (const [name, own] of Map.groupBy(arrivals, ({ identity }) => nameOf(identity))) {
    decideOne(held.get(name), own, decision);
  }
  return decision;
}

function decideOne(before: Payment | undefined, arrivals: readonly Arrival[], decision: PaymentDecision): void {
  const first = arrivals[0];
  if (first === undefined) return;
  const known = before?.events ?? [];
  let events = known;
  const fresh: Arrival[] = [];
  for (const arrival of arrivals) {
    const met = meet(events, arrival.event);
    if (met === 'new') fresh.push(arrival);
    else decision.verdicts.set(arrival.source, met);
    events = addEvent(events, arrival.event);
  }
  if (events === known) return;
  const after = paymentFact(first.identity, events, first.source.settings.time_zone);
  if (after.orphan) for (const { source } of fresh) decision.verdicts.set(source, 'orphan');
  if (before?.orphan && !after.orphan) {
    decision.resolved.push({ brand_id: first.source.brand_id, orphans: before.events.length - before.conflicts });
  }
  decision.changes.push({ brand_id: first.source.brand_id, before, after });
}
