import type { DecimalText, Micros } from '@croupier/contracts';
import { amountText, type BaseUnits, baseText, type Hundredths, type Millionths, rateText, toBase } from '../money.ts';

/**
 * The casino's book of one player's payments, recorded while the payments happen. The casino takes each step itself, in the
 * order of its clock. So, unlike a receiver, it never has to sort, compare or remove anything.
 *
 *   (nothing) --requested--> Requested --approved--> Approved --rolled back--> Rollback
 *                               |    \--rejected--> Rejected --approved--> Approved
 *                               \--cancelled--> Cancelled           (and so on: the last step counts)
 *
 * Only a payment whose last step is Approved has money in force. If several approvals follow each other, the first of them
 * counts. So publishing the same approval again with a later time is not a step (docs/reference/decisions.md 2.5).
 */
export type PaymentType = 'Credit' | 'Debit';
export type PaymentStatus = 'Requested' | 'Approved' | 'Rejected' | 'Cancelled' | 'Rollback';

export interface PaymentMoney {
  amount: Hundredths;
  currency: string;
  rate: Millionths;
  fee: Hundredths | null;
}

/** The true state of a payment. `in_force` is null unless the payment is Approved. */
export interface PaymentTruth {
  payment_id: string | null;
  type: PaymentType;
  status: PaymentStatus;
  in_force: {
    amount: DecimalText;
    currency: string;
    exchange_rate: DecimalText;
    base_amount: DecimalText;
    fee_amount: DecimalText | null;
    timestamp: Micros;
  } | null;
}

export interface PaymentTotals {
  count: number;
  /** In base currency. */
  sum: DecimalText;
  first_at: Micros | null;
  last_at: Micros | null;
}

interface Entry {
  payment_id: string | null;
  type: PaymentType;
  status: PaymentStatus;
  inForce: { money: PaymentMoney; at: Micros } | null;
}

export type PaymentBook = ReturnType<typeof createPaymentBook>;

export function createPaymentBook() {
  const entries = new Map<string, Entry>();
  const withoutId: Entry[] = [];

  return {
    /** Moves a payment to its next status. Steps of one payment are added in the order of time. */
    step(paymentId: string, type: PaymentType, status: PaymentStatus, money: PaymentMoney, at: Micros): void {
      const key = `${type}/${paymentId}`;
      const entry = entries.get(key) ?? { payment_id: paymentId, type, status: 'Requested', inForce: null };
      entries.set(key, entry);
      if (status === 'Requested') return;
      if (status !== 'Approved') entry.inForce = null;
      else if (entry.status !== 'Approved') entry.inForce = { money, at };
      entry.status = status;
    },

    /** Adds a payment that was published without an id. Only its approval counts, and no step can follow it. */
    approvedWithoutId(type: PaymentType, money: PaymentMoney, at: Micros): void {
      withoutId.push({ payment_id: null, type, status: 'Approved', inForce: { money, at } });
    },

    payments: (): PaymentTruth[] => [...entries.values(), ...withoutId].map(truthOf),
    totals: (type: PaymentType): PaymentTotals =>
      totals([...entries.values(), ...withoutId].filter((entry) => entry.type === type)),
  };
}

function truthOf(entry: Entry): PaymentTruth {
  const { payment_id, type, status, inForce } = entry;
  if (inForce === null) return { payment_id, type, status, in_force: null };
  const { amount, currency, rate, fee } = inForce.money;
  return {
    payment_id,
    type,
    status,
    in_force: {
      amount: amountText(amount),
      currency,
      exchange_rate: rateText(rate),
      base_amount: baseText(toBase(amount, rate)),
      fee_amount: fee === null ? null : amountText(fee),
      timestamp: inForce.at,
    },
  };
}

function totals(entries: readonly Entry[]): PaymentTotals {
  let sum: BaseUnits = 0n;
  let count = 0;
  let first: Micros | null = null;
  let last: Micros | null = null;
  for (const { inForce } of entries) {
    if (inForce === null) continue;
    count += 1;
    sum += toBase(inForce.money.amount, inForce.money.rate);
    if (first === null || inForce.at < first) first = inForce.at;
    if (last === null || inForce.at > last) last = inForce.at;
  }
  return { count, sum: baseText(sum), first_at: first, last_at: last };
}
