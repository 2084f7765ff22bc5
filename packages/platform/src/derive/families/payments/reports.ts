import type { Micros } from '@croupier/contracts';
import type { Arrival } from './decide.ts';

/** A number that the operator itself counts and sends along with payments (interface.md, POST /v1/integration/payment). */
export interface Report {
  player_id: number;
  name: 'deposit_count' | 'withdraw_count';
  value: number;
  at: Micros;
  fingerprint: string;
}

/**
 * The latest report per player and name: by timestamp, ties by the smallest fingerprint. Taking the latest is the same in
 * any order and any number of times, so neither duplicates nor contradictions need a rule of their own.
 */
export function latestReports(arrivals: readonly Arrival[]): Report[] {
  const latest = new Map<string, Report>();
  for (const { source, event } of arrivals) {
    for (const name of ['deposit_count', 'withdraw_count'] as const) {
      const value = source.event[name];
      if (value === undefined) continue;
      const { player_id } = source;
      const report: Report = { player_id, name, value, at: event.timestamp, fingerprint: event.fingerprint };
      const key = `${player_id}:${name}`;
      const held = latest.get(key);
      if (held === undefined || isLater(report, held)) latest.set(key, report);
    }
  }
  return [...latest.values()];
}

function isLater(a: Report, b: Report): boolean {
  return a.at > b.at || (a.at === b.at && a.fingerprint < b.fingerprint);
}
