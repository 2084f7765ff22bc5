import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { insertRebuild, type RebuildRow } from './store.ts';

/*
 * A requested rebuild is a row that waits for a worker. The request, the work and the cancellation may come from three
 * processes.
 *
 *   waiting --> copying --> recomputing --> comparing --> over: done, cancelled, interrupted, or why it failed
 *      |            \____________|_______________/           ^
 *      +--- cancel ---------- cancel, a stop, an error -------+
 */

/** Requests a rebuild of a brand, or of one of its players. Returns its number. */
export function requestRebuild(
  db: Pool | ClientBase,
  request: { brand_id: number; player_id: number | null; swap: boolean; now: Micros },
): Promise<number> {
  const { brand_id, player_id, swap, now } = request;
  return insertRebuild(db, { brand_id, player_id, swap, requested_at: now, started_at: null });
}

/** Marks the oldest waiting rebuild as running. Only the holder of the lock may call this. */
export async function claimRebuild(pool: Pool, now: Micros): Promise<RebuildRow | undefined> {
  const { rows } = await pool.query<RebuildRow>(
    `update rebuild set started_at = $1 where rebuild_id = (
       select rebuild_id from rebuild where outcome is null and started_at is null order by rebuild_id limit 1 for update)
     returning *`,
    [timestamptzText(now)],
  );
  return rows[0];
}

export async function isAnyWaiting(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query('select from rebuild where outcome is null and started_at is null limit 1');
  return rows.length > 0;
}

/**
 * Ends a waiting rebuild. Requests that a running one stops, which it does within a few seconds. A finished one does
 * not change.
 */
export async function cancelRebuild(db: Pool | ClientBase, rebuildId: number, now: Micros): Promise<void> {
  await db.query(
    `update rebuild set cancel_requested = true,
       outcome = case when started_at is null then 'cancelled' end,
       phase = case when started_at is null then 'over' else phase end,
       finished_at = case when started_at is null then $2::timestamptz end
     where rebuild_id = $1 and outcome is null`,
    [rebuildId, timestamptzText(now)],
  );
}
