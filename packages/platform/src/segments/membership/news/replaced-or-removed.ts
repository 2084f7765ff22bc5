import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { News } from '../cause.ts';

/**
 * News for players whose facts and totals a rebuild replaced, or whose old facts were removed: all their segments are
 * evaluated again, silently. It runs in the transaction of the change, so none is missed.
 */
export async function noteReplacedOrRemoved(tx: ClientBase, playerIds: readonly number[], at: Micros): Promise<void> {
  const causes: News[] = [{ cause: { type: 'recomputation', at }, silent: true }];
  await tx.query(
    `insert into segment_news (player_id, brand_id, causes)
     select player_id, brand_id, $2::jsonb from player where player_id = any($1::bigint[])`,
    [playerIds, JSON.stringify(causes)],
  );
}
