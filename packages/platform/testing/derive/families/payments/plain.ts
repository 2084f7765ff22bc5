import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';

/*
 * A simple implementation of payments, for tests. It computes them from all bodies at once, and shares no code with the
 * incremental implementation. Money is counted in whole millionths of the base currency, which is exact for the amounts and rates
 * of `history`.
 */

export interface PaymentBody {
  user_id: string;
  payment_id?: string;
  type: 'Credit' | 'Debit';
  status: 'Requested' | 'Approved' | 'Rejected' | 'Rollback' | 'Cancelled';
  timestamp: string;
  amount: number;
  currency: string;
  exchange_rate: number;
  vendor_id: string;
  origin: string;
  fee_amount?: number;
  note?: string;
  deposit_count?: number;
}

export interface PlainPayment {
  payment_id: string | null;
  type: string;
  status: string;
  orphan: boolean;
  /** In millionths of the base currency; null if it is part of no total. */
  base_amount: bigint | null;
  fee: bigint;
  at: number;
  /** For a deposit that was rejected or cancelled. */
  refused: { at: number; base_amount: bigint; note: string | null } | null;
}

export interface PlainPlayer {
  payments: PlainPayment[];
  reported_deposit_count: number | null;
}

const fields = {
  user_id: fc.constantFrom('a', 'b'),
  payment_id: fc.constantFrom('p1', 'p2', 'p3'),
  type: fc.constantFrom('Credit' as const, 'Debit' as const),
  status: fc.constantFrom(
    ...(['Approved', 'Approved', 'Approved', 'Rollback', 'Requested', 'Rejected', 'Cancelled'] as const),
  ),
  // Close to midnight in Malta and to a full hour, so that a payment whose time changes also changes its day and hour.
  timestamp: fc
    .integer({ min: 0, max: 5 })
    .map((step) => new Date(Date.UTC(2026, 3, 29, 20, 58) + step * 3_599_000).toISOString()),
  amount: fc.constantFrom(10, 20, 0.1, 12.34, 0),
  currency: fc.constantFrom('EUR', 'SEK'),
  exchange_rate: fc.constantFrom(0.5, 0.0894),
  vendor_id: fc.constant('v1'),
  origin: fc.constant('www.example.com'),
  fee_amount: fc.constantFrom(0.5, 1),
  note: fc.constantFrom('x', 'y'),
  deposit_count: fc.integer({ min: 0, max: 5 }),
};

const body: fc.Arbitrary<PaymentBody> = fc.record(fields, {
  requiredKeys: [
    ...(['user_id', 'type', 'status', 'timestamp', 'amount', 'currency'] as const),
    ...(['exchange_rate', 'vendor_id', 'origin'] as const),
  ],
});

/** An earlier event with one part changed, which makes a contradiction. */
const contradiction = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ amount: fields.amount }),
    fc.record({ fee_amount: fields.fee_amount, note: fields.note }),
    fc.record({ exchange_rate: fields.exchange_rate }),
    fc.record({ status: fields.status }),
    fc.record({ timestamp: fields.timestamp }),
    fc.record({ deposit_count: fields.deposit_count }),
  ),
);

/** Few users, ids and times, and contradictions of earlier events, so that conflicts and rollbacks are frequent. */
export const history: fc.Arbitrary<PaymentBody[]> = fc
  .tuple(fc.array(body, { minLength: 1, maxLength: 20 }), fc.array(contradiction, { maxLength: 20 }))
  .map(([bodies, contradictions]) => {
    const all = [...bodies];
    for (const [of, other] of contradictions) all.push({ ...(all[of % all.length] as PaymentBody), ...other });
    return all;
  });

const order = ['Requested', 'Rejected', 'Cancelled', 'Approved', 'Rollback'];
const million = 1_000_000n;

/** Every player's payments from the set of all bodies, by user_id. */
export function plainPayments(brandId: number, bodies: readonly PaymentBody[]): Map<string, PlainPlayer> {
  const distinct = new Map(bodies.map((body) => [fingerprint(brandId, 'payment', body), body]));
  const events = [...distinct].map(([print, body]) => ({ ...body, print, at: Date.parse(body.timestamp) * 1000 }));
  const players = new Map<string, PlainPlayer>();
  for (const [user, own] of Map.groupBy(events, (event) => event.user_id)) {
    const groups = Map.groupBy(own, (event) => `${event.type}/${event.payment_id ?? event.print}`);
    const reports = own
      .filter((event) => event.deposit_count !== undefined)
      .sort((a, b) => b.at - a.at || (a.print < b.print ? -1 : 1));
    players.set(user, {
      payments: [...groups.values()].map(plainPayment),
      reported_deposit_count: reports[0]?.deposit_count ?? null,
    });
  }
  return players;
}

type PlainEvent = PaymentBody & { print: string; at: number };

function plainPayment(events: readonly PlainEvent[]): PlainPayment {
  const winners = [...Map.groupBy(events, (event) => `${event.status}/${event.at}`).values()].map((rivals) =>
    rivals.reduce((best, rival) => (rival.print < best.print ? rival : best)),
  );
  winners.sort((a, b) => a.at - b.at || order.indexOf(a.status) - order.indexOf(b.status));
  const final = winners.filter((event) => event.status !== 'Requested');
  const status = final.at(-1)?.status ?? 'Requested';
  let inForce: PlainEvent | undefined;
  for (let i = final.length - 1; i >= 0 && final[i]?.status === 'Approved'; i--) inForce = final[i];
  const first = events[0] as PlainEvent;
  const orphan = events.every((event) => ['Rejected', 'Cancelled', 'Rollback'].includes(event.status));
  return {
    payment_id: first.payment_id ?? null,
    type: first.type,
    status,
    orphan,
    base_amount: inForce === undefined ? null : inBase(inForce, inForce.amount),
    fee: inForce === undefined ? 0n : inBase(inForce, inForce.fee_amount ?? 0),
    at: inForce?.at ?? 0,
    refused: first.type === 'Credit' && !orphan ? plainRefusal(final) : null,
  };
}

/** Walks back from the end while the status is the same Rejected or Cancelled. */
function plainRefusal(final: readonly PlainEvent[]): PlainPayment['refused'] {
  const ending = final.at(-1)?.status;
  if (ending !== 'Rejected' && ending !== 'Cancelled') return null;
  let refusal = final.at(-1) as PlainEvent;
  for (const event of final.toReversed()) {
    if (event.status !== ending) break;
    refusal = event;
  }
  return { at: refusal.at, base_amount: inBase(refusal, refusal.amount), note: refusal.note ?? null };
}

/** amount x rate in millionths: amounts have at most 2 fraction digits, rates at most 4. */
function inBase(event: PlainEvent, amount: number): bigint {
  const cents = BigInt(Math.round(amount * 100));
  const rate = event.currency === 'EUR' ? 10_000n : BigInt(Math.round(event.exchange_rate * 10_000));
  return cents * rate;
}

/** '0.894' as 894000n. */
export function millionths(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * million + BigInt(fraction.padEnd(6, '0'));
}
