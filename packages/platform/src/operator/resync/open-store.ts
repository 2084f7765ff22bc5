import type { ClientBase } from 'pg';
import type { LookUp } from '../judging/index.ts';

/** Open look-ups of a run: requested, and neither answered nor permanently failed. */

/** Consecutive failures after which a run counts a look-up as failed. player_sync continues to retry it. */
const failedTries = 3;

/** Stores the requests that the same transaction has written. The transaction holds the locks on the rows of player_sync. */
export async function noteAsked(
  tx: ClientBase,
  resyncId: number,
  playerIds: readonly number[],
  lookUps: readonly LookUp[],
): Promise<void> {
  await tx.query(
    `insert into resync_open (resync_id, player_id, look_up, request)
     select $1, player_id, look_up, requested from player_sync
      where player_id = any($2::bigint[]) and look_up = any($3::text[])`,
    [resyncId, playerIds, lookUps],
  );
}

/**
 * Removes look-ups that have ended. Parked or failing rows count only if no newer request followed, because player_sync starts
 * over with each request. A player who was erased in the meantime has no row, and is counted neither as answered nor as failed.
 */
export async function settleOpen(
  tx: ClientBase,
  resyncId: number,
): Promise<{ answered: number; failed: number; open: number }> {
  const { rows } = await tx.query<{ answered: number; failed: number; open: number }>(
    `with looked_at as (
       select o.player_id, o.look_up,
              case when s.player_id is null then 'gone'
                   when s.done >= o.request then 'answered'
                   when s.parked or s.attempts >= ${failedTries} then 'failed' end as ending
         from resync_open o left join player_sync s on s.player_id = o.player_id and s.look_up = o.look_up
        where o.resync_id = $1
     ), ended as (
       delete from resync_open o using looked_at l
        where o.resync_id = $1 and o.player_id = l.player_id and o.look_up = l.look_up and l.ending is not null
     )
     select count(*) filter (where ending = 'answered')::int as answered,
            count(*) filter (where ending = 'failed')::int as failed,
            count(*) filter (where ending is null)::int as open
       from looked_at`,
    [resyncId],
  );
  return rows[0] ?? { answered: 0, failed: 0, open: 0 };
}
