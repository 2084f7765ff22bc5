import { operatorEventKinds } from '@croupier/contracts';
import type { Derivation } from '../derivation.ts';
import { eventsOf } from '../event.ts';
import { activities } from './activity.ts';
import { saveActivities } from './store.ts';

/**
 * The data about a player that events of every kind contain. Events of the platform itself do not count
 * as activity of the player. Site events do not count either, because the page and not the operator reports them.
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
