import { operatorEventKinds } from '@croupier/contracts';
import type { Derivation } from '../derivation.ts';
import { eventsOf } from '../event.ts';
import { activities } from './activity.ts';
import { saveActivities } from './store.ts';

/**
 * What any event of the operator says of its player, whatever its kind. What the platform did itself says nothing of when a player was last
 * heard of, and what a page tracked is the player's own word.
 */
export const players: Derivation = {
  family: 'players',
  kinds: operatorEventKinds,
  tables: [{ name: 'player_activity' }],
  async apply(tx, events) {
    await saveActivities(tx, activities(eventsOf(events, operatorEventKinds)));
    return { verdicts: new Map() };
  },
};

export { PlayerIds, playerName } from './identity.ts';
export { readActivity, takeNewPlayers } from './store.ts';
