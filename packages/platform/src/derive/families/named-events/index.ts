import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { custom, type NamedEvents, type NamedKind, siteEvent } from './kinds.ts';
import { arrivalOf, countsOf, distinct, repeatsAmong } from './named-event.ts';
import { namedStore } from './store.ts';

/**
 * Events that operators name, and events that their pages track: two families with the same structure, see README.md.
 */
export const customEvents = familyOf(custom);
export const siteEvents = familyOf(siteEvent);

function familyOf<K extends NamedKind>(of: NamedEvents<K>): Derivation {
  const store = namedStore(of);
  return {
    family: of.kind,
    kinds: [of.kind],
    tables: [{ name: of.eventTable, ages_by: 'at', kept_for: 'history' }, { name: of.countTable }],
    async apply(tx, events) {
      const arrivals = eventsOf(events, [of.kind]).map((event) => arrivalOf(of, event));
      const given = distinct(arrivals);
      const fresh = await store.insert(tx, given);
      if (fresh.size > 0) await store.add(tx, countsOf(given.filter(({ fingerprint }) => fresh.has(fingerprint))));
      return { verdicts: repeatsAmong(arrivals, fresh) };
    },
  };
}

export type { NamedKind } from './kinds.ts';
export { type ListedNamedEvent, listNamedEvents, type NamedEventFilter } from './list.ts';
export { readNamedCounts } from './read.ts';
