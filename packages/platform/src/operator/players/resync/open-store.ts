import type { ClientBase } from 'pg';
import type { LookUp } from '../../calling/index.ts';

/** Look-ups of a run that are open: asked for, and neither answered nor failed for good. */

/** Failures in a row after which a run counts a look-up as failed; player_sync goes on trying it. */
const failedTries = 3;

/** Notes the requests that the same transaction has written; player_sync's rows are locked by it. */
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
 * Takes out what has come to an end. Parked or failing only counts with no newer request behind it: player_sync begins anew with
 * each. A player who was erased meanwhile leaves no row, and is counted as nothing.
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
