import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { totalsOf } from '../../totals/index.ts';
import { arrivalOf, decide } from './decide.ts';
import { partsOf } from './fact.ts';
import { latestReports } from './reports.ts';
import { countedPayments, loadPayments, savePayments, saveReports } from './store.ts';

export const paymentTotals = totalsOf({
  family: 'payment',
  by: ['vendor_id'],
  counts: ['deposit_count', 'withdrawal_count'],
  sums: ['deposit_sum', 'deposit_fee_sum', 'withdrawal_sum', 'withdrawal_fee_sum'],
  biggest: ['deposit_biggest', 'withdrawal_biggest'],
  dated: ['deposit', 'withdrawal'],
  facts: countedPayments,
});

/** Deposits and withdrawals: see README.md for their rules, payment.ts for what a payment is. */
export const payments: Derivation = {
  family: 'payments',
  kinds: ['payment'],
  tables: [{ name: 'payment' }, { name: 'payment_report' }, ...paymentTotals.tables],
  totals: [paymentTotals],
  async apply(tx, events, context) {
    const arrivals = eventsOf(events, ['payment']).map(arrivalOf);
    const held = await loadPayments(tx, distinct(arrivals.map(({ identity }) => identity)));
    const { changes, verdicts, resolved } = decide(held, arrivals);
    if (changes.length > 0) {
      await savePayments(
        tx,
        changes.map(({ after }) => after),
      );
      const parts = changes.map(({ brand_id, before, after }) => ({
        brand_id,
        before: partsOf(before),
        after: partsOf(after),
      }));
      await paymentTotals.change(tx, parts, context);
    }
    const reports = latestReports(arrivals);
    if (reports.length > 0) await saveReports(tx, reports);
    return { verdicts, resolved: resolved.map((orphans) => ({ ...orphans, kind: 'payment' })) };
  },
};

function distinct<T extends { player_id: number; payment_key: string }>(identities: readonly T[]): T[] {
  return [
    ...new Map(identities.map((identity) => [`${identity.player_id}:${identity.payment_key}`, identity])).values(),
  ];
}

export type { Payment } from './fact.ts';
export { type ListedPayment, listPayments, type PaymentFilter, readReports } from './list.ts';
export { metPayment } from './met.ts';
export type { PaymentEvent } from './payment.ts';
