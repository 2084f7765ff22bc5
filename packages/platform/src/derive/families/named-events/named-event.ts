import type { EventOf, Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import type { Verdict } from '../../verdict.ts';
import type { NamedEvents, NamedKind } from './kinds.ts';

/** An event with a name and free data: the row of its kind's event table. */
export interface NamedEvent {
  player_id: number;
  name: string;
  at: Micros;
  /** Two events are the same if their bodies are equal (docs/reference/decisions.md 2.2), because they have no key. */
  fingerprint: string;
  /** The value of the kind's own column: the origin of a custom event, the event_id of a site event. */
  own: string;
  data: EventOf<NamedKind>['data'];
}

export interface Arrival {
  source: DerivedEvent<NamedKind>;
  event: NamedEvent;
}

/** How many events of one name a player has had: the row of the kind's count table. */
export interface NamedCount {
  player_id: number;
  name: string;
  event_count: number;
  first_at: Micros;
  last_at: Micros;
}

export function arrivalOf<K extends NamedKind>(of: NamedEvents<K>, source: DerivedEvent<K>): Arrival {
  const { player_id, event } = source;
  const { timestamp: at, data } = event;
  const [name, own] = [of.eventName(event), of.ownOf(event)];
  return { source, event: { player_id, name, at, fingerprint: fingerprintOf(source), own, data } };
}

/** The distinct events of a batch. Pure. */
export function distinct(arrivals: readonly Arrival[]): NamedEvent[] {
  return [...new Map(arrivals.map(({ event }) => [event.fingerprint, event])).values()];
}

/**
 * Returns the repeats among the arrivals of a batch. `fresh` has the fingerprints of the events that were not stored before: the first
 * arrival of each is not a repeat.
 */
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

/** What new events add to the counts. Counts never decrease, because no event cancels a named event. Pure. */
export function countsOf(fresh: readonly NamedEvent[]): NamedCount[] {
  const counts = new Map<string, NamedCount>();
  for (const { player_id, name, at } of fresh) {
    const key = `${player_id}:${name}`;
    const { event_count, first_at, last_at } = counts.get(key) ?? { event_count: 0, first_at: at, last_at: at };
    counts.set(key, {
      player_id,
      name,
      event_count: event_count + 1,
      first_at: Math.min(first_at, at),
      last_at: Math.max(last_at, at),
    });
  }
  return [...counts.values()];
}
