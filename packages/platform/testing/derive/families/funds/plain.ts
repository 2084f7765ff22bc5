import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';

/*
 * A simple implementation of credited funds, for tests: sorts all bodies and takes the last per intent. Money is counted in
 * whole millionths of the base currency, which is exact for the amounts and rates of `history`.
 */

export interface FundsBody {
  user_id: string;
  intent_id: string;
  revision: number;
  status: 'Approved' | 'Rollback';
  timestamp: string;
  amount: number;
  currency: string;
  exchange_rate: number;
}

/** Time in milliseconds; amounts in millionths of the base currency. */
export interface PlainFunds {
  intent_id: string;
  counted: boolean;
  at: number;
  base_amount: bigint;
}

/** Few intents, revisions and amounts, so that contradictions are frequent, around midnight of Malta. */
export const history: fc.Arbitrary<FundsBody[]> = fc.array(
  fc.record({
    user_id: fc.constantFrom('a', 'b'),
    intent_id: fc.constantFrom('1', '2', '3'),
    revision: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom('Approved' as const, 'Approved' as const, 'Rollback' as const),
    timestamp: fc
      .integer({ min: 0, max: 3 })
      .map((step) => new Date(Date.UTC(2026, 3, 29, 20, 58) + step * 3_599_000).toISOString()),
    amount: fc.constantFrom(10, 20, 0.1, 12.34),
    currency: fc.constantFrom('EUR', 'SEK'),
    exchange_rate: fc.constantFrom(0.5, 0.0894),
  }),
  { minLength: 1, maxLength: 14 },
);

/** Returns the funds in force, keyed by user. */
export function plainFunds(brandId: number, bodies: readonly FundsBody[]): Map<string, PlainFunds[]> {
  const printed = bodies.map((body) => ({
    ...body,
    print: fingerprint(brandId, 'funds_credited', body),
  }));
  // The version in force is last: the highest revision, within a revision the earliest, then the smallest fingerprint.
  printed.sort(
    (a, b) =>
      a.revision - b.revision ||
      (a.timestamp === b.timestamp ? (a.print < b.print ? 1 : -1) : a.timestamp < b.timestamp ? 1 : -1),
  );
  const users = new Map<string, PlainFunds[]>();
  for (const [user, own] of Map.groupBy(printed, ({ user_id }) => user_id)) {
    const last = new Map(own.map((body) => [body.intent_id, body]));
    users.set(
      user,
      [...last.values()].map(({ intent_id, status, timestamp, amount, currency, exchange_rate }) => {
        const rate = currency === 'EUR' ? 10_000n : BigInt(Math.round(exchange_rate * 10_000));
        const baseValue = BigInt(Math.round(amount * 100)) * rate;
        return { intent_id, counted: status === 'Approved', at: Date.parse(timestamp), base_amount: baseValue };
      }),
    );
  }
  return users;
}
