import type { ClientBase, Pool } from 'pg';
import { type LookUp, lookUps } from '../../calling/index.ts';
import { lanes } from '../sync/lane.ts';
import { requestUnlessErased } from '../sync/request-store.ts';

/**
 * A person, or a decision that needs fresh facts, asks for a player's look-ups now. Counts as one more request: it is
 * answered by a look-up that begins after this call, whatever runs already. A scheduler in another process finds it
 * within 250 ms.
 */
export async function requestRefresh(
  db: Pool | ClientBase,
  player: { player_id: number; brand_id: number },
  wanted: readonly LookUp[] = lookUps,
): Promise<void> {
  await requestUnlessErased(
    db,
    wanted.map((look_up) => ({ ...player, look_up, lane: lanes.live })),
  );
}

/** The same for many players at once. Rows are locked in the order of their key. */
export async function requestLiveLookUps(
  db: Pool | ClientBase,
  wanted: readonly { player_id: number; brand_id: number; look_up: LookUp }[],
): Promise<void> {
  await requestUnlessErased(
    db,
    wanted.map((one) => ({ ...one, lane: lanes.live })),
  );
}
