import type { ClientBase } from 'pg';
import { databaseTime, timestamptzText } from '../../../database/index.ts';
import type { LookUp } from '../../judging/index.ts';
import { lanes } from '../../players/index.ts';

/**
 * What reconciliation does to look-ups besides requesting them. It changes rows of player_sync, whose states
 * sync/claim-store.ts describes.
 */

/** Revokes the claims of open look-ups: their answers are not written, and the look-ups are due immediately. */
export async function revokeClaims(tx: ClientBase, playerIds: readonly number[], lookUp: LookUp): Promise<void> {
  await tx.query({
    name: 'revoke_look_ups',
    text: `update player_sync set claim = null, due_at = $3
            where player_id = any($1::bigint[]) and look_up = $2 and claim is not null`,
    values: [playerIds, lookUp, timestamptzText(await databaseTime(tx))],
  });
}

/** Counts the look-ups of a brand that are due in the background, up to `most`. */
export async function countDue(tx: ClientBase, brandId: number, most: number): Promise<number> {
  const { rows } = await tx.query<{ due: number }>(
    `select count(*)::int as due
       from (select from unnest(array['details', 'consents', 'blocks']) as l (look_up)
              cross join lateral (select from player_sync s
                                   where s.brand_id = $1 and s.look_up = l.look_up and s.lane = ${lanes.background} and s.due_at <= now()
                                   limit $2) one
              limit $2) counted`,
    [brandId, most],
  );
  return rows[0]?.due ?? 0;
}
