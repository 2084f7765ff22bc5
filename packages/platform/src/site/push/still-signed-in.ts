import type { ClientBase } from 'pg';
import type { Caller } from '../session/caller.ts';
import { sessionStateOfPlayer } from '../session/end-store.ts';

/**
 * Whether the session with which a call was admitted is still active. Call it under a lock that the end of the session also
 * takes, if the call creates something that the end would have removed.
 */
export async function isStillSignedIn(
  tx: ClientBase,
  { brand, player_id, sid_hash, known_ends }: Caller,
): Promise<boolean> {
  // No snapshot is needed, because the numbers that are compared below also cover ends after the admission.
  const state = await sessionStateOfPlayer(tx, brand.brand_id, player_id, { sid_hash, snapshot: null });
  if (state === undefined || state.erased || state.excluded) return false;
  return state.all_ended <= known_ends.all_ended && state.one_ended <= known_ends.one_ended;
}
