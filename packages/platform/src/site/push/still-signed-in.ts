import type { ClientBase } from 'pg';
import type { Caller } from '../session/caller.ts';
import { standingOfPlayer } from '../session/end-store.ts';

/**
 * Whether the session that a call was admitted with goes on. To be asked under a lock that its end takes too, where a call leaves something
 * that the end would have taken away.
 */
export async function isStillSignedIn(
  tx: ClientBase,
  { brand, player_id, sid_hash, known_ends }: Caller,
): Promise<boolean> {
  // The numbers say it: what came after the admission is no matter of snapshots.
  const standing = await standingOfPlayer(tx, brand.brand_id, player_id, { sid_hash, snapshot: null });
  if (standing === undefined || standing.erased || standing.excluded) return false;
  return standing.all_ended <= known_ends.all_ended && standing.one_ended <= known_ends.one_ended;
}
