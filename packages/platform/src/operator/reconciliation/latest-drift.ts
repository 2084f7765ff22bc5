import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

export interface LatestDrift {
  /** Players for whom the two sides have different values, over the last applied run of each field. */
  differences: number;
  /** When the oldest of these runs was applied; null if none was. */
  oldest_at: Micros | null;
  /** The newest of these runs that found a difference. */
  reconciliation_id: number | null;
}

/**
 * The result of the last reconciliations of a brand. Facts that are newer in Croupier than in the operator's list do
 * not count as drift.
 */
export async function readLatestDrift(pool: Pool, brandId: number): Promise<LatestDrift> {
  const { rows } = await pool.query<LatestDrift>({
    name: 'latest_drift',
    text: `select coalesce(sum(differences), 0)::int as differences, min(applied_at) as oldest_at,
                  max(reconciliation_id) filter (where differences > 0) as reconciliation_id
             from (select distinct on (field) reconciliation_id, applied_at,
                          tightened + to_look_up + reported + created as differences
                     from reconciliation where brand_id = $1 and applied_at is not null
                    order by field, reconciliation_id desc) r`,
    values: [brandId],
  });
  return rows[0] ?? { differences: 0, oldest_at: null, reconciliation_id: null };
}
