import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';

/** The count of each table stops here. More failures than this have a common cause, so their exact number does not matter. */
export const mostFailedCounted = 10_000;

/** Counts the messages that failed, or ended with an unknown outcome, since a moment; `oldest_at` is the time of the first. */
export async function countFailedMessages(
  pool: Pool,
  brandId: number,
  since: Micros,
): Promise<{ failed: number; oldest_at: Micros | null }> {
  const { rows } = await pool.query<{ failed: number; oldest_at: Micros | null }>(
    `select count(*)::int as failed, min(ended_at) as oldest_at from (
       (select ended_at from email_message
         where brand_id = $1 and state in ('failed', 'unknown') and ended_at >= $2 order by ended_at limit $3)
       union all
       (select ended_at from called_message
         where brand_id = $1 and state in ('failed', 'unknown') and ended_at >= $2 order by ended_at limit $3)) m`,
    [brandId, timestamptzText(since), mostFailedCounted],
  );
  return rows[0] ?? { failed: 0, oldest_at: null };
}
