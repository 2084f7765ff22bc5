import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { DriftAction } from './run.ts';

/**
 * Maximum number of players listed per run; its counts include all. This takes 10 MB per run, instead of 500 MB for a first
 * list of five million.
 */
export const mostListed = 100_000;

export interface Drift {
  player_id: number;
  /** null if the platform does not know it. */
  we_say: boolean | null;
  they_say: boolean;
  /** Since when the platform has had this value. */
  since: Micros | null;
  done: DriftAction;
}

/** @param listed how many players of the run are listed already */
export async function insertDrift(
  tx: ClientBase,
  reconciliationId: number,
  drift: readonly Drift[],
  listed: number,
): Promise<void> {
  const retained = drift.slice(0, Math.max(0, mostListed - listed));
  if (retained.length === 0) return;
  await tx.query({
    name: 'insert_reconciliation_drift',
    text: `insert into reconciliation_drift (reconciliation_id, player_id, we_say, they_say, since, done)
           select $1, player_id, we_say, they_say, since, done
             from unnest($2::bigint[], $3::boolean[], $4::boolean[], $5::text[], $6::text[])
                    as d (player_id, we_say, they_say, since_text, done)
            cross join lateral (select since_text::timestamptz as since) s
           on conflict (reconciliation_id, player_id) do nothing`,
    values: [
      reconciliationId,
      retained.map((one) => one.player_id),
      retained.map((one) => one.we_say),
      retained.map((one) => one.they_say),
      retained.map((one) => (one.since === null || !Number.isFinite(one.since) ? null : timestamptzText(one.since))),
      retained.map((one) => one.done),
    ],
  });
}

export interface DriftFilter {
  done?: DriftAction | undefined;
  /** player_id of the last row of the previous page. */
  after?: number | undefined;
  limit: number;
}

/** In the order of player_id. Players who have since been erased are left out. */
export async function readDrift(
  db: Pool,
  reconciliationId: number,
  filter: DriftFilter,
): Promise<(Drift & { user_id: string })[]> {
  const { rows } = await db.query<Drift & { user_id: string }>(
    `select d.player_id, p.user_id, d.we_say, d.they_say, d.since, d.done
       from reconciliation_drift d join player p using (player_id)
      where d.reconciliation_id = $1 and ($2::text is null or d.done = $2) and ($3::bigint is null or d.player_id > $3)
      order by d.player_id limit $4`,
    [reconciliationId, filter.done ?? null, filter.after ?? null, filter.limit],
  );
  return rows;
}

/** Deletes at most `limit` rows, so that the statement stays short. @returns how many were deleted */
export async function dropDriftBefore(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from reconciliation_drift where ctid = any (array(
       select d.ctid from reconciliation_drift d join reconciliation r using (reconciliation_id)
        where r.requested_at < $1 limit $2))`,
    [timestamptzText(before), limit],
  );
  return rowCount ?? 0;
}
