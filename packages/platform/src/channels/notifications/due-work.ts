import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/**
 * Whether the keeper has anything to do: a held message to ask about, a withdrawal, an open recall, or a message that has expired. It
 * costs one statement. A round that finds nothing costs ten.
 *
 * Each part is sorted like the index that finds its first row.
 */
export async function isKeeperWorkDue(pool: Pool, now: Micros): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'is_keeper_work_due',
    text: `(select true from notification where state = 'held' and due_at <= now() order by due_at limit 1)
           union all
           (select true from notification_withdrawal where due_at <= $1 order by due_at limit 1)
           union all
           (select true from notification_recall where phase <> 'done' order by brand_id, campaign_id limit 1)
           union all
           (select true from notification where state = 'live' and expires_at < 'infinity' and expires_at <= $1
             order by expires_at limit 1)`,
    values: [timestamptzText(now)],
  });
  return rows.length > 0;
}
