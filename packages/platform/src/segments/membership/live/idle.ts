import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/**
 * Finds out with one statement that a round would find nothing. A round that finds nothing makes nine statements, five times a second.
 *
 * All work of a round is stored as rows: new players, news, changes of records, and due times of versions whose phase
 * is not `kept`. If the rows belong to the buckets of another worker, or to players who are held back,
 * a round is made although it finds nothing.
 *
 * Each part is sorted like the index that finds its first row. Without the order, or with `exists`, which ignores it, PostgreSQL may
 * read a whole table if it believes that many rows match.
 */
export async function isIdle(pool: Pool, at: Micros): Promise<boolean> {
  const { rows } = await pool.query<{ idle: boolean }>({
    name: 'read_idle_segments',
    text: `select case
             when (select true from new_player order by player_id limit 1) then false
             when (select true from segment_news order by news_id limit 1) then false
             when (select true from record_change order by change_id limit 1) then false
             else (select count(*) = 0 from segment_active a cross join lateral (
                     (select from segment_due d where d.version_id = a.version_id and d.due_at <= $1::timestamptz order by d.due_at limit 1)
                     union all
                     (select from segment_due d where d.version_id = a.version_id and d.rough order by d.player_id limit 1)) due
                    where a.phase <> 'kept')
           end as idle`,
    values: [timestamptzText(at)],
  });
  return rows[0]?.idle === true;
}
