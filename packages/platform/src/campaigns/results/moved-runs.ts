import type { Pool } from 'pg';

/**
 * SQL of the versions that drew the arms of moved runs, for campaign $1: `(run_id, drawn)`, with the version_id by split. An arm belongs to the
 * version that drew it: the runs of a control arm are done, so they do not move with the others. In the version to which the others
 * moved, they would be compared with players who entered later.
 */
export const drawnVersions = `(
  select run_id, jsonb_object_agg(step, version_id) as drawn from campaign_run_step
   where campaign_id = $1 and variant is not null
     and run_id in (select run_id from campaign_run_step where campaign_id = $1 and state = 'moved')
   group by run_id)`;

/** Whether runs of the campaign may have moved to another version. If not, reading `drawnVersions` is skipped. */
export async function mayHaveMoved(pool: Pool, campaignId: number): Promise<boolean> {
  const { rows } = await pool.query<{ moves: boolean }>(
    'select exists (select from campaign_version where campaign_id = $1 and moves_runs) as moves',
    [campaignId],
  );
  return rows[0]?.moves ?? false;
}
