import type { Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { factFamily, factTable, ofEventInForce } from '../../facts/index.ts';

/** A number that the operator itself counts and sends with payments (docs/reference/interface.md, Payment events). */
export interface Report {
  player_id: number;
  name: 'deposit_count' | 'withdraw_count';
  value: number;
  at: Micros;
  fingerprint: string;
}

/**
 * The report with the latest timestamp is in force, and in a tie the one with the smallest fingerprint. It does not
 * affect the verdict of its payment.
 */
export const paymentReports = factFamily({
  family: 'payment_reports',
  kinds: ['payment'],
  table: factTable<Report, 'player_id' | 'name'>({
    name: 'payment_report',
    key: { player_id: 'bigint', name: 'text' },
    columns: { value: 'bigint', at: 'timestamptz', fingerprint: 'hash' },
  }),
  read: reportsOf,
  decide: ofEventInForce<Report>({
    takesPrecedence: (a, b) => a.at > b.at || (a.at === b.at && a.fingerprint < b.fingerprint),
    classify: () => 'applied',
  }),
});

function reportsOf(source: DerivedEvent<'payment'>): Report[] {
  const { player_id, event } = source;
  const names = (['deposit_count', 'withdraw_count'] as const).filter((name) => event[name] !== undefined);
  if (names.length === 0) return [];
  const fingerprint = fingerprintOf(source);
  return names.map((name) => ({ player_id, name, value: event[name] ?? 0, at: event.timestamp, fingerprint }));
}
