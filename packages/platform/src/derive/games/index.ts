import type { Derivation } from '../derivation.ts';
import { eventsOf } from '../event.ts';
import { learnedFrom } from './learned.ts';
import { saveGames, saveVendors } from './store.ts';

/**
 * The games catalogue of each brand: see README.md. It has no table of its own in the derived schema: `game` and `vendor`
 * belong to no player, are neither hashed nor recomputed beside the live ones, and take every event once more as they took
 * it the first time.
 */
export const games: Derivation = {
  family: 'games',
  kinds: ['casino', 'gameround'],
  tables: [],
  async apply(tx, events) {
    const learned = learnedFrom(eventsOf(events, ['casino', 'gameround']));
    await saveVendors(tx, learned.vendors);
    await saveGames(tx, learned.games);
    return { verdicts: new Map() };
  },
};

export { type GameFilter, type ListedGame, type ListedVendor, listGames, listVendors } from './list.ts';
