import { awaitAll } from '../../../database/index.ts';
import type { Derivation } from '../../derivation.ts';
import { eventsOf } from '../../event.ts';
import { gameCatalog, gameOf, vendorCatalog, vendorOf } from './learned.ts';

/**
 * The games catalog of each brand: see README.md. `game` and `vendor` belong to no player, so they are not listed in
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
      vendorCatalog.save(tx, vendorCatalog.learned(played.map(vendorOf))),
      gameCatalog.save(tx, gameCatalog.learned(played.map(gameOf))),
    ]);
    return { verdicts: new Map() };
  },
};

export { type GameFilter, type ListedGame, type ListedVendor, listGames, listVendors, readGames } from './list.ts';
