import type { ClientBase, Pool } from 'pg';
import { type LookUp, lookUps } from '../../judging/index.ts';
import { lanes } from '../sync/lane.ts';
import { requestUnlessErased } from '../sync/request-store.ts';

/**
 * Requests a player's look-ups now, for a person or a decision that needs current facts. It counts as one more request: a
 * look-up that begins after this call answers it, even if another look-up is already open. A scheduler in another
 * process finds it within 250 ms.
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

/** Requests look-ups of many players at once. Rows are locked in the order of their key. */
export async function requestLiveLookUps(
  db: Pool | ClientBase,
  wanted: readonly { player_id: number; brand_id: number; look_up: LookUp }[],
): Promise<void> {
  await requestUnlessErased(
    db,
    wanted.map((one) => ({ ...one, lane: lanes.live })),
  );
}
