import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';

/** A simple implementation of last balances, for tests: sorts all messages and takes the first per key. */

export interface BalancesBody {
  user_id: string;
  origin: string;
  timestamp: string;
  balances: { key: string; amount: number; currency: string; exchange_rate: number }[];
}

/** Few keys, times and amounts, so that ties and contradictions are frequent. */
export const balancesBody: fc.Arbitrary<BalancesBody> = fc.record({
  user_id: fc.constantFrom('a', 'b'),
  origin: fc.constantFrom('x', 'y'),
  timestamp: fc.integer({ min: 0, max: 3 }).map((step) => `2026-05-01T10:00:0${step}Z`),
  balances: fc.array(
    fc.record({
      key: fc.constantFrom('real_money', 'bonus_money', 'points'),
      amount: fc.constantFrom(0, 10, 12.34),
      currency: fc.constantFrom('EUR', 'SEK'),
      exchange_rate: fc.constantFrom(0.5, 0.25),
    }),
    { maxLength: 3 },
  ),
});

/** `user key` -> hundredths of the base currency (EUR), with the time of the message. */
export function plainBalances(brandId: number, bodies: readonly BalancesBody[]): Map<string, string> {
  const entries = bodies.flatMap((body) => {
    const print = fingerprint(brandId, 'balances', body);
    return body.balances.map((entry, place) => ({ ...entry, place, print, user: body.user_id, at: body.timestamp }));
  });
  entries.sort((a, b) =>
    a.at === b.at ? (a.print === b.print ? b.place - a.place : a.print < b.print ? -1 : 1) : a.at < b.at ? 1 : -1,
  );
  const last = new Map<string, string>();
  for (const { user, key, at, amount, currency, exchange_rate } of entries) {
    const cents = Math.round(amount * 100 * (currency === 'EUR' ? 1 : exchange_rate) * 100) / 100;
    if (!last.has(`${user} ${key}`)) last.set(`${user} ${key}`, `${at} ${cents}`);
  }
  return last;
}
