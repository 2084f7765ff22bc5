import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';

/*
 * A simple implementation of purchases and tickets, for tests. It computes them from all bodies at once, and shares no code with
 * the incremental implementation. Money is counted in whole millionths of the base currency, which is exact for the amounts and
 * rates of the histories.
 */

/** What counts at one moment, for one lottery. */
export interface PlainMoment {
  at: number;
  lottery_id: string;
  counts: Record<string, number>;
  sums: Record<string, bigint>;
  biggest: Record<string, bigint>;
}

export interface PlainFact {
  /** The ids that make up the key. */
  id: string;
  state: string;
  at: number;
  orphans: number;
  conflicts: number;
  [more: string]: string | number | bigint | null;
}

export interface PlainLottery {
  facts: PlainFact[];
  moments: PlainMoment[];
}

export interface MoneyBody {
  user_id: string;
  timestamp: string;
  amount: number;
  currency: string;
  exchange_rate: number;
  origin: string;
}

export const moneyFields = {
  user_id: fc.constantFrom('a', 'a', 'b'),
  // Close to midnight in Malta and to a full hour, so that a bet whose time changes also changes its day and hour.
  timestamp: fc
    .integer({ min: 0, max: 5 })
    .map((step) => new Date(Date.UTC(2026, 3, 29, 20, 58) + step * 3_599_000).toISOString()),
  amount: fc.constantFrom(10, 20, 0.1, 12.34, 0),
  currency: fc.constantFrom('EUR', 'SEK'),
  exchange_rate: fc.constantFrom(0.5, 0.0894),
  origin: fc.constant('www.example.com'),
};

export type Printed<B> = B & { print: string; at: number };

/** Each body once, with its fingerprint, by user_id. */
export function ofUsers<B extends MoneyBody>(
  brandId: number,
  kind: 'lottery' | 'lottery_purchase',
  bodies: readonly B[],
): Map<string, Printed<B>[]> {
  const distinct = new Map(bodies.map((body) => [fingerprint(brandId, kind, body), body]));
  const events = [...distinct].map(([print, body]): Printed<B> => {
    return { ...body, print, at: Date.parse(body.timestamp) * 1000 };
  });
  return Map.groupBy(events, (event) => event.user_id);
}

/** The earliest of one key; ties by the smallest fingerprint. */
export function earliest<B extends MoneyBody>(rivals: readonly Printed<B>[]): Printed<B> {
  return rivals.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.print < a.print) ? b : a));
}

export function moneyOf(body: MoneyBody): string {
  return `${body.amount} ${body.currency} ${rateOf(body)}`;
}

function rateOf(body: MoneyBody): number {
  return body.currency === 'EUR' ? 1 : body.exchange_rate;
}

/** amount x rate in millionths: amounts have at most 2 fraction digits, rates at most 4. */
export function inBase(body: MoneyBody, amount: number): bigint {
  return BigInt(Math.round(amount * 100)) * BigInt(Math.round(rateOf(body) * 10_000));
}
