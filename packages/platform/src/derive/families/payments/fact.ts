import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { inBase } from '../../money.ts';
import type { Part } from '../../totals/index.ts';
import {
  type PaymentEvent,
  type PaymentStatus,
  type PaymentType,
  paymentEvent,
  paymentKey,
  settle,
} from './payment.ts';

/** A payment as stored and listed: the row of live.payment. */
export interface Payment {
  player_id: number;
  payment_key: string;
  payment_id: string | null;
  type: PaymentType;
  status: PaymentStatus;
  orphan: boolean;
  counted: boolean;
  reapproved: boolean;
  at: Micros;
  /** YYYY-MM-DD of `at` in the brand's time zone. */
  day: string;
  amount: DecimalText;
  currency: string;
  exchange_rate: DecimalText;
  base_amount: DecimalText;
  base_fee: DecimalText;
  vendor_id: string;
  vendor_name: string | null;
  origin: string;
  bonus_code: string | null;
  note: string | null;
  conflicts: number;
  events: readonly PaymentEvent[];
}

export type PaymentKey = 'player_id' | 'payment_key';

/** What an event says about its payment. */
export interface PaymentSaid extends Pick<Payment, PaymentKey | 'payment_id' | 'type'> {
  event: PaymentEvent;
}

export function paymentSaid(source: DerivedEvent<'payment'>): PaymentSaid {
  const { player_id, event } = source;
  const fingerprint = fingerprintOf(source);
  const { type, payment_id = null } = event;
  const payment_key = paymentKey(event, fingerprint);
  return { player_id, payment_key, payment_id, type, event: paymentEvent(event, fingerprint) };
}

/** Makes the fact from the versions of a payment's events. */
export function paymentFact(
  { player_id, payment_key, payment_id, type }: PaymentSaid,
  events: readonly PaymentEvent[],
  timeZone: string,
): Payment {
  const { status, in_force, shown, orphan, reapproved, conflicts } = settle(events);
  return {
    player_id,
    payment_key,
    payment_id,
    type,
    status,
    orphan,
    counted: in_force !== undefined,
    reapproved,
    at: shown.timestamp,
    day: dayOf(timeZone, shown.timestamp),
    amount: shown.amount,
    currency: shown.currency,
    exchange_rate: shown.exchange_rate,
    base_amount: inBase(shown.amount, shown.exchange_rate),
    base_fee: inBase(shown.fee_amount ?? '0', shown.exchange_rate),
    vendor_id: shown.vendor_id,
    vendor_name: shown.vendor_name ?? null,
    origin: shown.origin,
    bonus_code: shown.bonus_code ?? null,
    note: shown.note ?? null,
    conflicts,
    events,
  };
}

/**
 * What a payment adds to the totals of its player: nothing unless an Approved is in force. Credit is a deposit, Debit a
 * withdrawal.
 */
export function partsOf(payment: Payment | undefined): Part[] {
  if (payment === undefined || !payment.counted) return [];
  const { player_id, at, day, base_amount, base_fee } = payment;
  const { type, vendor_id } = payment;
  const word = type === 'Credit' ? 'deposit' : 'withdrawal';
  return [
    {
      player_id,
      at,
      day,
      by: { vendor_id },
      counts: { [`${word}_count`]: 1 },
      sums: { [`${word}_sum`]: base_amount, [`${word}_fee_sum`]: base_fee },
      biggest: { [`${word}_biggest`]: base_amount },
      dated: [word],
    },
  ];
}

/**
 * What a payment adds to the refused deposits of its player. It must be a deposit whose status is Rejected or Cancelled
 * and whose Requested or Approved is known; otherwise it adds nothing. A refusal without either is an orphan, which has
 * no effect (docs/reference/decisions.md 2.5).
 */
export function refusedPartsOf(payment: Payment | undefined): Part[] {
  if (payment === undefined || payment.type !== 'Credit' || payment.orphan) return [];
  const { player_id, at, day, base_amount, status } = payment;
  if (status !== 'Rejected' && status !== 'Cancelled') return [];
  const word = status === 'Rejected' ? 'deposit_rejected' : 'deposit_cancelled';
  return [
    {
      player_id,
      at,
      day,
      counts: { [`${word}_count`]: 1 },
      sums: { [`${word}_sum`]: base_amount },
      dated: [word],
    },
  ];
}
