import type { EventOf, Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Verdict } from '../../verdict.ts';

/** An event that the operator named itself: the row of live.custom_event. */
export interface CustomEvent {
  player_id: number;
  notification_type: string;
  at: Micros;
  /** Two events are the same one when their bodies are (decisions.md 2.2): they have no key of their own. */
  fingerprint: string;
  origin: string;
  data: EventOf<'custom'>['data'];
}

export interface Arrival {
  source: DerivedEvent<'custom'>;
  event: CustomEvent;
}

/** How often a player has had events of one type; the row of live.custom_count. */
export interface CustomCount {
  player_id: number;
  notification_type: string;
  event_count: number;
  first_at: Micros;
  last_at: Micros;
}

export function arrivalOf(source: DerivedEvent<'custom'>): Arrival {
  const { player_id, event } = source;
  const { timestamp: at, notification_type, origin, data } = event;
  return { source, event: { player_id, notification_type, at, fingerprint: fingerprintOf(source), origin, data } };
}

/** Each event of a batch once. Pure. */
export function distinct(arrivals: readonly Arrival[]): CustomEvent[] {
  return [...new Map(arrivals.map(({ event }) => [event.fingerprint, event])).values()];
}

/** Of a batch's arrivals, those that are not the first of their event. `fresh`: fingerprints of the events not held before. */
export function repeatsAmong(
  arrivals: readonly Arrival[],
  fresh: ReadonlySet<string>,
): ReadonlyMap<DerivedEvent, Verdict> {
  const seen = new Set<string>();
  const verdicts = new Map<DerivedEvent, Verdict>();
  for (const { source, event } of arrivals) {
    const { fingerprint } = event;
    if (!fresh.has(fingerprint) || seen.has(fingerprint)) verdicts.set(source, 'repeat');
    seen.add(fingerprint);
  }
  return verdicts;
}

/** What events that were not held before add to the counts: nothing ever takes a custom event back. Pure. */
export function countsOf(fresh: readonly CustomEvent[]): CustomCount[] {
  const counts = new Map<string, CustomCount>();
  for (const { player_id, notification_type, at } of fresh) {
    const name = `${player_id}:${notification_type}`;
    const { event_count, first_at, last_at } = counts.get(name) ?? { event_count: 0, first_at: at, last_at: at };
    counts.set(name, {
      ...{ player_id, notification_type, event_count: event_count + 1 },
      first_at: Math.min(first_at, at),
      last_at: Math.max(last_at, at),
    });
  }
  return [...counts.values()];
}
