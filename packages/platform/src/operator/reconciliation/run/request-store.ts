import type { Micros, ReconciliationField } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { RunState } from './run.ts';

/** Requests for runs, from people and the schedule. */

export interface RequestedRun {
  reconciliation_id: number;
  field: ReconciliationField;
  state: RunState;
}

/** Requests runs of these fields. If a field has an active run, that run is returned and no second one is created. */
export async function requestRuns(
  db: Pool | ClientBase,
  request: {
    brand_id: number;
    fields: readonly ReconciliationField[];
    cause: 'schedule' | 'person';
    now: Micros;
  },
): Promise<RequestedRun[]> {
  await db.query(
    `insert into reconciliation (brand_id, field, cause, state, requested_at)
     select $1, field, $3, 'waiting', $4 from unnest($2::text[]) with ordinality as f (field, place) order by place
     on conflict (brand_id, field) where state in ('waiting', 'reading', 'comparing', 'asking') do nothing`,
    [request.brand_id, request.fields, request.cause, timestamptzText(request.now)],
  );
  const { rows } = await db.query<RequestedRun>(
    `select distinct on (field) reconciliation_id, field, state from reconciliation
      where brand_id = $1 and field = any($2::text[])
      order by field, reconciliation_id desc`,
    [request.brand_id, request.fields],
  );
  return rows.sort((a, b) => a.reconciliation_id - b.reconciliation_id);
}

/**
 * Ends a run in state `waiting`, `comparing` or `asking`. If a worker is reading the run, it stops within seconds. Restrictions
 * that were already applied remain. Returns false if the run is over, or held.
 */
export async function cancelRun(db: Pool | ClientBase, brandId: number, runId: number, now: Micros): Promise<boolean> {
  const { rowCount } = await db.query(
    `update reconciliation
        set cancel_requested = true,
            state = case when state = 'reading' then state else 'cancelled' end,
            finished_at = case when state = 'reading' then null else $3::timestamptz end
      where brand_id = $1 and reconciliation_id = $2 and state in ('waiting', 'reading', 'comparing', 'asking')`,
    [brandId, runId, timestamptzText(now)],
  );
  return rowCount === 1;
}

/**
 * Approves or refuses a held list. An approved list can continue only while no other answer of this operator is read or
 * compared. Returns 'busy' if one is; then the transaction can only be rolled back.
 */
export async function decideHeld(
  db: Pool | ClientBase,
  brandId: number,
  runId: number,
  verdict: 'approve' | 'reject',
  now: Micros,
): Promise<'decided' | 'not_held' | 'busy'> {
  try {
    const { rowCount } = await db.query(
      `update reconciliation
          set state = case when $3 then 'comparing' else 'rejected' end,
              finished_at = case when $3 then null else $4::timestamptz end
        where brand_id = $1 and reconciliation_id = $2 and state = 'held'`,
      [brandId, runId, verdict === 'approve', timestamptzText(now)],
    );
    return rowCount === 1 ? 'decided' : 'not_held';
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') return 'busy';
    throw error;
  }
}
