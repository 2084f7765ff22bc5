import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import {
  history,
  millionths,
  type PaymentBody,
  type PlainPayment,
  plainPayments,
} from '../../../../testing/derive/families/payments/plain.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import { deltasOf } from '../../totals/deltas.ts';
import { type Payment, partsOf, refusedPartsOf } from './fact.ts';
import { payments } from './index.ts';

/*
 * Order independence (docs/reference/design.md 2.3): random histories with repeats, contradictions and rollbacks,
 * shuffled and split into random batches, must give the same payments and totals as a plain recomputation without
 * batches. A failure prints its seed and path; pass them to fc.assert to reproduce it.
 */
const brandId = 7;
const users = ['a', 'b'];
const settings = testSettings({ time_zone: 'Europe/Malta' });

test('P3: any order, repetition and batching of the same events gives the same payments and totals', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const { payments: made, counts, sums } = incremental(batches);
        const plain = plainPayments(brandId, bodies);
        for (const [player, user] of users.entries()) {
          const expected = plain.get(user)?.payments ?? [];
          const own = made.filter((payment) => payment.player_id === player);
          expect(sorted(own.map(asPlain))).toEqual(sorted(expected));
          const deposits = expected.filter((payment) => payment.type === 'Credit' && payment.base_amount !== null);
          expect(counts.get(`${player} deposit_count`) ?? 0).toBe(deposits.length);
          expect(sums.get(`${player} deposit_sum`) ?? 0n).toBe(total(deposits.map((p) => p.base_amount ?? 0n)));
          expect(sums.get(`${player} deposit_fee_sum`) ?? 0n).toBe(total(deposits.map((p) => p.fee)));
          for (const status of ['Rejected', 'Cancelled']) {
            const column = `${player} deposit_${status.toLowerCase()}`;
            const refused = expected.flatMap((p) => (p.status === status && p.refused !== null ? [p.refused] : []));
            expect(counts.get(`${column}_count`) ?? 0).toBe(refused.length);
            expect(sums.get(`${column}_sum`) ?? 0n).toBe(total(refused.map((p) => p.base_amount)));
          }
        }
      },
    ),
    { numRuns: 1_500 },
  );
});

test('P2: applying every event again changes nothing; each is a repeat or a conflict', () => {
  fc.assert(
    fc.property(history, (bodies) => {
      const held = new Map<string, Payment>();
      apply(held, bodies);
      const again = applyTo(payments, held, bodies.map(eventOf));
      expect(again.changes).toEqual([]);
      expect([...again.verdicts.values()].filter((verdict) => verdict !== 'repeat' && verdict !== 'conflict')).toEqual(
        [],
      );
      expect(again.verdicts.size).toBe(bodies.length);
    }),
    { numRuns: 300 },
  );
});

/** Runs the incremental code, with maps instead of tables. */
function incremental(batches: readonly (readonly PaymentBody[])[]) {
  const held = new Map<string, Payment>();
  const counts = new Map<string, number>();
  const sums = new Map<string, bigint>();
  for (const batch of batches) {
    const changes = apply(held, batch);
    const parts = changes.map(({ brand_id, before, after }) => ({
      brand_id,
      before: [...partsOf(before), ...refusedPartsOf(before)],
      after: [...partsOf(after), ...refusedPartsOf(after)],
    }));
    for (const row of deltasOf(parts, 0).total) {
      for (const [column, by] of row.counts) {
        const name = `${row.player_id} ${column}`;
        counts.set(name, (counts.get(name) ?? 0) + by);
      }
      for (const [column, by] of row.sums) {
        const name = `${row.player_id} ${column}`;
        const signed = by.lt(0) ? -millionths(by.abs().toFixed()) : millionths(by.toFixed());
        sums.set(name, (sums.get(name) ?? 0n) + signed);
      }
    }
  }
  return { payments: [...held.values()], counts, sums };
}

function apply(held: Map<string, Payment>, bodies: readonly PaymentBody[]) {
  return applyTo(payments, held, bodies.map(eventOf)).changes;
}

function eventOf(body: PaymentBody) {
  const player_id = users.indexOf(body.user_id);
  return derivedEvent('payment', { ...body }, { player_id, brand_id: brandId, settings });
}

function asPlain(payment: Payment): PlainPayment {
  const { payment_id, type, status, orphan, counted, base_amount, base_fee, at, note } = payment;
  const [refused] = refusedPartsOf(payment);
  return {
    payment_id,
    type,
    status,
    orphan,
    base_amount: counted ? millionths(base_amount) : null,
    fee: counted ? millionths(base_fee) : 0n,
    at: counted ? at : 0,
    refused: refused === undefined ? null : { at: refused.at, base_amount: millionths(base_amount), note },
  };
}

function sorted(payments: readonly PlainPayment[]): string[] {
  return payments.map((payment) => JSON.stringify(payment, (_, v) => (typeof v === 'bigint' ? String(v) : v))).sort();
}

function total(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}
