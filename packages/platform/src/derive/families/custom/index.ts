import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { arrivalOf, countsOf, distinct, repeatsAmong } from './custom-event.ts';
import { addCustomCounts, insertCustomEvents } from './store.ts';

/** Events that operators, or their pages, name themselves: see README.md. */
export const customEvents: Derivation = {
  family: 'custom',
  kinds: ['custom'],
  tables: [{ name: 'custom_event', ages_by: 'at', kept_for: 'history' }, { name: 'custom_count' }],
  async apply(tx, events) {
    const arrivals = eventsOf(events, ['custom']).map(arrivalOf);
    const given = distinct(arrivals);
    const fresh = await insertCustomEvents(tx, given);
    if (fresh.size > 0) {
      await addCustomCounts(tx, countsOf(given.filter(({ fingerprint }) => fresh.has(fingerprint))));
    }
    return { verdicts: repeatsAmong(arrivals, fresh) };
  },
};

export { type CustomEventFilter, type ListedCustomEvent, listCustomEvents } from './list.ts';
export { readCustomCounts } from './read.ts';
