import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { isUnbegun } from './store.ts';

/**
 * Finds out with one statement whether a round may find work. A round that finds nothing makes 13 statements, ten times a second.
 *
 * News, due runs, and runs that have not begun are work. Other work follows only from a change of the active campaigns:
 * runs that move to another version, continue after a pause, or exit after a stop. So while the answer stays the same
 * after a round that found nothing, the next round finds nothing either.
 *
 * Each part is sorted like the index that finds its first row. Without the order, or with `exists`, which ignores it, PostgreSQL may
 * read a whole table if it believes that many rows match.
 *
 * @returns undefined if there is work; otherwise a text that changes with the active campaigns
 */
export async function readIdle(pool: Pool, at: Micros): Promise<string | undefined> {
  const { rows } = await pool.query<{ idle: string | null }>({
    name: 'read_idle_campaigns',
    text: `select case
             when (select true from campaign_news order by news_id limit 1) then null
             when (select true from campaign_run where due_at <= $1 order by due_at limit 1) then null
             when (select true from campaign_run where ${isUnbegun} order by campaign_id, run_id limit 1) then null
             else (select md5(coalesce(string_agg(a::text, ' ' order by campaign_id), '')) from campaign_active a)
           end as idle`,
    values: [timestamptzText(at)],
  });
  return rows[0]?.idle ?? undefined;
}
