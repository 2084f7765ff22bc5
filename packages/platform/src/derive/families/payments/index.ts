import { factFamily, factTable, ofEvents } from '../../facts/index.ts';
import { totalsOf } from '../../totals/index.ts';
import {
  type Payment,
  type PaymentKey,
  type PaymentSaid,
  partsOf,
  paymentFact,
  paymentSaid,
  refusedPartsOf,
} from './fact.ts';
import { addEvent, classify, type PaymentEvent } from './payment.ts';

export const paymentTotals = totalsOf({
  family: 'payment',
  by: ['vendor_id'],
  counts: ['deposit_count', 'withdrawal_count'],
  sums: ['deposit_sum', 'deposit_fee_sum', 'withdrawal_sum', 'withdrawal_fee_sum'],
  biggest: ['deposit_biggest', 'withdrawal_biggest'],
  dated: ['deposit', 'withdrawal'],
  facts: `
    select player_id, at, day, vendor_id,
           case when type = 'Credit' then base_amount end as deposit_biggest,
           case when type = 'Debit' then base_amount end as withdrawal_biggest,
           case when type = 'Credit' then at end as deposit_at,
           case when type = 'Debit' then at end as withdrawal_at
    from payment
    where counted`,
});

/**
 * Deposits that were rejected or cancelled. They are separate from `paymentTotals`, because its days count the players
 * who paid.
 */
export const refusedDepositTotals = totalsOf({
  family: 'refused_deposit',
  counts: ['deposit_rejected_count', 'deposit_cancelled_count'],
  sums: ['deposit_rejected_sum', 'deposit_cancelled_sum'],
  biggest: [],
  dated: ['deposit_rejected', 'deposit_cancelled'],
  facts: `
    select player_id, at, day,
           case when status = 'Rejected' then at end as deposit_rejected_at,
           case when status = 'Cancelled' then at end as deposit_cancelled_at
    from payment
    where type = 'Credit' and status in ('Rejected', 'Cancelled') and not orphan`,
});

/** Deposits and withdrawals: see README.md for their rules, payment.ts for what a payment is. */
export const payments = factFamily({
  family: 'payments',
  kinds: ['payment'],
  table: factTable<Payment, PaymentKey>({
    name: 'payment',
    key: { player_id: 'bigint', payment_key: 'hash' },
    columns: {
      payment_id: 'text',
      type: 'text',
      status: 'text',
      orphan: 'boolean',
      counted: 'boolean',
      reapproved: 'boolean',
      at: 'timestamptz',
      day: 'date',
      amount: 'numeric',
      currency: 'text',
      exchange_rate: 'numeric',
      base_amount: 'numeric',
      base_fee: 'numeric',
      vendor_id: 'text',
      vendor_name: 'text',
      origin: 'text',
      bonus_code: 'text',
      note: 'text',
      conflicts: 'int',
      events: 'jsonb',
    },
  }),
  read: (source) => [paymentSaid(source)],
  decide: ofEvents<Payment, PaymentEvent, PaymentSaid>({
    eventsOf: ({ events }) => events,
    classify,
    add: addEvent,
    factOf: paymentFact,
    orphansOf: ({ orphan, events, conflicts }) => (orphan ? events.length - conflicts : 0),
  }),
  counted: [
    { totals: paymentTotals, partsOf },
    { totals: refusedDepositTotals, partsOf: refusedPartsOf },
  ],
});

export type { Payment } from './fact.ts';
export { type ListedPayment, listPayments, type PaymentFilter, readReports } from './list.ts';
export { paymentOfEvent } from './of-event.ts';
export { type OutermostPayment, readOutermostPayments, type ShownPayment } from './outermost.ts';
export type { PaymentEvent } from './payment.ts';
export { paymentReports } from './reports.ts';
