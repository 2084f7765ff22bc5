import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { decide } from './registration.ts';
import { loadRegistrations, saveRegistrations } from './store.ts';

/** When and where a player registered. */
export const registrations: Derivation = {
  family: 'registrations',
  kinds: ['registration'],
  tables: [{ name: 'registration' }],
  async apply(tx, events) {
    const own = eventsOf(events, ['registration']);
    const held = await loadRegistrations(tx, [...new Set(own.map((event) => event.player_id))]);
    const { changed, verdicts } = decide(held, own);
    if (changed.length > 0) await saveRegistrations(tx, changed);
    return { verdicts };
  },
};

export { readRegistration } from './store.ts';
