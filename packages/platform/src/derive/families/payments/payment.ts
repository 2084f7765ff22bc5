import { createHash } from 'node:crypto';
import type { DecimalText, EventOf } from '@croupier/contracts';
import { addVersion, arrivalAmong, type Version } from '../../versions.ts';

/*
 * What a payment is, computed only from the set of its events (docs/reference/decisions.md 2.3 and 2.5).
 *
 *   Requested ----> Approved ----> Rollback        every arrow may be missing, doubled or arrive in any order: the
 *       |              ^              |            events are sorted by (timestamp, rank) and the last final one is
 *       |              +--------------+            the status; without a final one, it is Requested
 *       +---------> Rejected, Cancelled
 *
 * The event in force is the first of the consecutive Approved events at the end of that order. So a retry with a new timestamp changes
 * nothing. A Rollback cancels the payment, whatever amount the Rollback states. An Approved after a Rollback counts again, with the
 * amount and date of this Approved.
 */
export type PaymentType = EventOf<'payment'>['type'];
export type PaymentStatus = EventOf<'payment'>['status'];

/**
 * One version of one event of a payment. The key of an event is status and timestamp. Events of one key with the same
 * amount, currency and rate are one version; the one with the smallest fingerprint is stored. So repeats add nothing,
 * and contradictions stay visible, up to `maxVersions`.
 */
export interface PaymentEvent extends Version {
  status: PaymentStatus;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  vendor_id: string;
  origin: string;
  vendor_name?: string;
  fee_amount?: DecimalText;
  bonus_code?: string;
  note?: string;
}

/** The state of a payment, computed from all its events. */
export interface Settlement {
  status: PaymentStatus;
  /** The Approved in force. If there is none, the payment does not count in any total. */
  in_force: PaymentEvent | undefined;
  /**
   * The event by which the payment is shown: the one in force. If there is none: the Rejected or Cancelled that is its status (the earliest
   * of consecutive ones), else the Approved that was rolled back, else the last event.
   */
  shown: PaymentEvent;
  /** True for a Rollback, Rejected or Cancelled without its payment. */
  orphan: boolean;
  /** True if it was approved again after a Rollback, and that Approved is in force. */
  reapproved: boolean;
  /**
   * The number of stored versions that are not in force because the money of another version of their key, or of their
   * run of Approved, differs.
   */
  conflicts: number;
}

const rank: Record<PaymentStatus, number> = { Requested: 0, Rejected: 1, Cancelled: 2, Approved: 3, Rollback: 4 };

/** The canonical order of the versions of a payment's events. Within a key, the version in force comes first. */
function inOrder(a: PaymentEvent, b: PaymentEvent): number {
  return a.timestamp - b.timestamp || rank[a.status] - rank[b.status] || (a.fingerprint < b.fingerprint ? -1 : 1);
}

function sameKey(a: PaymentEvent, b: PaymentEvent): boolean {
  return a.timestamp === b.timestamp && a.status === b.status;
}

export function sameMoney(a: PaymentEvent, b: PaymentEvent): boolean {
  return a.amount === b.amount && a.currency === b.currency && a.exchange_rate === b.exchange_rate;
}

/**
 * Adds an event to the versions of its payment. Returns the same array if nothing changes. It may leave out versions of
 * a key, but never a whole key, because a Rollback that comes late may need any of them.
 */
export function addEvent(versions: readonly PaymentEvent[], event: PaymentEvent): readonly PaymentEvent[] {
  const ofKey = versions.filter((version) => sameKey(version, event));
  const grown = addVersion(ofKey, event, sameMoney);
  if (grown === ofKey) return versions;
  return [...versions.filter((version) => !sameKey(version, event)), ...grown].sort(inOrder);
}

/** @param versions of one payment, at least one, in canonical order */
export function settle(versions: readonly PaymentEvent[]): Settlement {
  const firstOfEachKey = versions.filter((version, i) => i === 0 || !sameKey(version, versions[i - 1] as PaymentEvent));
  const final = firstOfEachKey.filter((event) => event.status !== 'Requested');
  const last = final.at(-1);
  const runs = runsOfApproved(final);
  const inForce = last?.status === 'Approved' ? runs.at(-1)?.[0] : undefined;
  return {
    status: last?.status ?? 'Requested',
    in_force: inForce,
    shown: inForce ?? refusal(final) ?? runs.at(-1)?.[0] ?? (firstOfEachKey.at(-1) as PaymentEvent),
    orphan: runs.length === 0 && final.length === firstOfEachKey.length,
    reapproved: inForce !== undefined && final.some((event) => event.status === 'Rollback'),
    conflicts: versions.length - firstOfEachKey.length + runs.reduce((sum, run) => sum + contradictions(run), 0),
  };
}

function runsOfApproved(final: readonly PaymentEvent[]): PaymentEvent[][] {
  const runs: PaymentEvent[][] = [];
  for (const [i, event] of final.entries()) {
    if (event.status !== 'Approved') continue;
    if (final[i - 1]?.status === 'Approved') runs.at(-1)?.push(event);
    else runs.push([event]);
  }
  return runs;
}

/** Returns the first of the consecutive Rejected, or Cancelled, events at the end. So a retry with a new timestamp changes nothing. */
function refusal(final: readonly PaymentEvent[]): PaymentEvent | undefined {
  const status = final.at(-1)?.status;
  if (status !== 'Rejected' && status !== 'Cancelled') return undefined;
  return final[final.findLastIndex((event) => event.status !== status) + 1];
}

function contradictions(run: readonly PaymentEvent[]): number {
  return run.filter((event) => !sameMoney(event, run[0] as PaymentEvent)).length;
}

/**
 * Compares an event with the stored versions of its payment: `new`, or a `repeat` or `conflict` of one of them. An
 * Approved that joins a run of Approved is also a repeat or conflict, because it is the same approval with a new
 * timestamp.
 */
export function classify(before: readonly PaymentEvent[], event: PaymentEvent): 'new' | 'repeat' | 'conflict' {
  const ofKey = before.filter((version) => sameKey(version, event));
  const outcome = arrivalAmong(ofKey, event, sameMoney);
  if (outcome !== 'new' || event.status !== 'Approved') return outcome;
  const final = addEvent(before, event).filter((version) => version.status !== 'Requested');
  const others = runsOfApproved(final)
    .find((run) => run.includes(event))
    ?.filter((other) => other !== event);
  if (others === undefined || others.length === 0) return 'new';
  return others.some((other) => sameMoney(other, event)) ? 'repeat' : 'conflict';
}

/**
 * The key of a payment within its player, 128 bits in hex. Without a payment_id no two events can be linked, so each is
 * a separate payment under its fingerprint (docs/decisions/0301).
 */
export function paymentKey(event: EventOf<'payment'>, fingerprint: string): string {
  return event.payment_id === undefined ? fingerprint : keyOfId(event.type, event.payment_id);
}

export function keyOfId(type: PaymentType, paymentId: string): string {
  return createHash('sha256').update(`${type}\n${paymentId}`).digest('hex').slice(0, 32);
}

export function paymentEvent(event: EventOf<'payment'>, fingerprint: string): PaymentEvent {
  const { status, timestamp, amount, currency, exchange_rate, vendor_id, origin } = event;
  const { vendor_name, fee_amount, bonus_code, note } = event;
  return {
    status,
    timestamp,
    amount,
    currency,
    exchange_rate,
    fingerprint,
    vendor_id,
    origin,
    ...(vendor_name !== undefined && { vendor_name }),
    ...(fee_amount !== undefined && { fee_amount }),
    ...(bonus_code !== undefined && { bonus_code }),
    ...(note !== undefined && { note }),
  };
}
