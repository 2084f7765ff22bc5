import { awaitAll } from '../../../database/index.ts';
import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { gameCatalogue, gameOf, vendorCatalogue, vendorOf } from './learned.ts';

/**
 * The games catalogue of each brand: see README.md. `game` and `vendor` belong to no player, so they are not listed in
 * `tables`.
 */
export const games: Derivation = {
  family: 'games',
  kinds: ['casino', 'gameround'],
  tables: [],
  isShared: true,
  async apply(tx, events) {
    const played = eventsOf(events, ['casino', 'gameround']);
    await awaitAll([
      vendorCatalogue.save(tx, vendorCatalogue.learned(played.map(vendorOf))),
      gameCatalogue.save(tx, gameCatalogue.learned(played.map(gameOf))),
    ]);
    return { verdicts: new Map() };
  },
};

export { type GameFilter, type ListedGame, type ListedVendor, listGames, listVendors, readGames } from './list.ts';
