import { eventKinds } from '@croupier/contracts';
import type { Derivation } from '../derivation.ts';
import { activities } from './activity.ts';
import { saveActivities } from './store.ts';

/** What any event says of its player, whatever its kind. */
export const players: Derivation = {
  family: 'players',
  kinds: eventKinds,
  tables: [{ name: 'player_activity' }],
  async apply(tx, events) {
    await saveActivities(tx, activities(events));
    return { verdicts: new Map() };
  },
};

export { PlayerIds, playerName } from './identity.ts';
export { readActivity } from './store.ts';
