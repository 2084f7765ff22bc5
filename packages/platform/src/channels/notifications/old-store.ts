import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** SQL statements that delete old rows. They skip rows that another worker has locked. */

export async function deleteRequestsBefore(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'delete_old_notification_requests',
    text: `delete from notification_request where (player_id, request_key) in (
             select player_id, request_key from notification_request where made_at < $1
              order by made_at limit $2 for update skip locked)`,
    values: [timestamptzText(before), limit],
  });
  return rowCount ?? 0;
}

/** Deletes messages that have ended; never live or held ones. */
export async function deleteEndedBefore(
  pool: Pool,
  brands: readonly { brand_id: number; before: Micros }[],
  limitEach: number,
): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'delete_old_notifications',
    text: `delete from notification where message_id in (
             select o.message_id from unnest($1::int[], $2::timestamptz[]) as b (brand_id, before)
              cross join lateral (
                select n.message_id from notification n
                 where n.brand_id = b.brand_id and n.state not in ('held', 'live') and n.state_since < b.before
                 order by n.state_since limit $3 for update skip locked) o)`,
    values: [brands.map(({ brand_id }) => brand_id), brands.map(({ before }) => timestamptzText(before)), limitEach],
  });
  return rowCount ?? 0;
}
