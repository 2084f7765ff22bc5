import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** SQL statements on site_tracked. */

export interface RememberedEvent {
  at: Micros;
  digest: Buffer;
}

/**
 * Stores a call, or returns the stored one. It is one statement, so that two concurrent calls get the same time: the update
 * changes nothing, and waits for the insert of the other call.
 */
export async function rememberTracked(
  pool: Pool,
  event: { player_id: number; event_id: string; digest: Buffer; at: Micros },
): Promise<RememberedEvent> {
  const { rows } = await pool.query<RememberedEvent>({
    name: 'remember_tracked_event',
    text: `insert into site_tracked as t (player_id, event_id, digest, at) values ($1, $2, $3, $4)
           on conflict (player_id, event_id) do update set digest = t.digest
           returning at, digest`,
    values: [event.player_id, event.event_id, event.digest, timestamptzText(event.at)],
  });
  const [remembered] = rows;
  if (remembered === undefined) throw new Error('a tracked event could not be stored for duplicate detection');
  return remembered;
}

/** @returns how many were deleted, at most `limit` */
export async function forgetTracked(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'forget_tracked_events',
    text: `delete from site_tracked where (player_id, event_id) in
             (select player_id, event_id from site_tracked where at < $1 order by at limit $2 for update skip locked)`,
    values: [timestamptzText(before), limit],
  });
  return rowCount ?? 0;
}
