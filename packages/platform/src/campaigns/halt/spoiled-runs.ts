import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText, unprocessableWords } from '../../database/index.ts';

/** A campaign with runs that failed because of their data. */
export interface SpoiledRuns {
  code: string;
  runs: number;
  /** One of the reasons. */
  reason: string;
  /** When the first of them failed. */
  since: Micros;
}

const mostListed = 20;
const day = 24 * 3_600_000_000;

/** The condition of the index campaign_run_spoiled, which contains only such runs. */
const isSpoiled = `state = 'failed' and reason like '${unprocessableWords}%'`;

/** Campaigns of a brand with such runs in the last 24 hours, most runs first. */
export async function readSpoiledRuns(pool: Pool, brandId: number, at: Micros): Promise<SpoiledRuns[]> {
  // Runs and campaigns may be stored in different databases.
  const { rows } = await pool.query<Omit<SpoiledRuns, 'code'> & { campaign_id: number }>(
    `select campaign_id, count(*)::int as runs, max(reason) as reason, min(moved_at) as since from campaign_run
      where brand_id = $1 and ${isSpoiled} and moved_at > $2
      group by campaign_id order by runs desc, campaign_id limit $3`,
    [brandId, timestamptzText(at - day), mostListed],
  );
  if (rows.length === 0) return [];
  const { rows: campaigns } = await pool.query<{ campaign_id: number; code: string }>(
    'select campaign_id, code from campaign where campaign_id = any($1::int[])',
    [rows.map(({ campaign_id }) => campaign_id)],
  );
  const codes = new Map(campaigns.map(({ campaign_id, code }) => [campaign_id, code]));
  return rows.flatMap(({ campaign_id, ...one }) => {
    const code = codes.get(campaign_id);
    return code === undefined ? [] : [{ code, ...one }];
  });
}

/** The number of such runs of all brands in the last 24 hours, for the metrics. */
export async function countSpoiledRuns(pool: Pool, at: Micros): Promise<number> {
  const { rows } = await pool.query<{ runs: number }>(
    `select count(*)::int as runs from campaign_run where ${isSpoiled} and moved_at > $1`,
    [timestamptzText(at - day)],
  );
  return rows[0]?.runs ?? 0;
}
