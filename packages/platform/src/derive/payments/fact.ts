import { type DecimalText, dayOf, type Micros } from '@croupier/contracts';
import Big from 'big.js';
import type { Part } from '../totals/index.ts';
import { type PaymentEvent, type PaymentStatus, type PaymentType, settle } from './payment.ts';

/** A payment as it is stored and listed: the row of live.payment. */
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
  /** amount x exchange_rate, exact. The rate of the base currency itself is 1 by the time an event is read. */
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

export type PaymentIdentity = Pick<Payment, 'player_id' | 'payment_key' | 'payment_id' | 'type'>;

/** The fact that the versions of a payment's events amount to. */
export function paymentFact(identity: PaymentIdentity, events: readonly PaymentEvent[], timeZone: string): Payment {
  const { status, in_force, shown, orphan, reapproved, conflicts } = settle(events);
  return {
    ...identity,
    status,
    orphan,
    counted: in_force !== undefined,
    reapproved,
    at: shown.timestamp,
    day: dayOf(timeZone, shown.timestamp),
    amount: shown.amount,
    currency: shown.currency,
    exchange_rate: shown.exchange_rate,
    base_amount: times(shown.amount, shown.exchange_rate),
    base_fee: times(shown.fee_amount ?? '0', shown.exchange_rate),
    vendor_id: shown.vendor_id,
    vendor_name: shown.vendor_name ?? null,
    origin: shown.origin,
    bonus_code: shown.bonus_code ?? null,
    note: shown.note ?? null,
    conflicts,
    events,
  };
}

function times(amount: DecimalText, rate: DecimalText): DecimalText {
  return rate === '1' ? amount : new Big(amount).times(rate).toFixed();
}

/** What a payment adds to the totals of its player: nothing unless an Approved is in force. Credit is a deposit, Debit a withdrawal. */
export function partOf(payment: Payment | undefined): Part | undefined {
  if (payment === undefined || !payment.counted) return undefined;
  const { player_id, at, day, base_amount, base_fee } = payment;
  return payment.type === 'Credit'
    ? {
        player_id,
        at,
        day,
        counts: { deposit_count: 1 },
        sums: { deposit_sum: base_amount, deposit_fee_sum: base_fee },
        biggest: { deposit_biggest: base_amount },
        dated: ['deposit'],
      }
    : {
        player_id,
        at,
        day,
        counts: { withdrawal_count: 1 },
        sums: { withdrawal_sum: base_amount, withdrawal_fee_sum: base_fee },
        biggest: { withdrawal_biggest: base_amount },
        dated: ['withdrawal'],
      };
}
