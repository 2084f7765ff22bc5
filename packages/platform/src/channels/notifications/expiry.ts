import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** Messages per batch: some 20 ms. */
const maxBatch = 1_000;

/**
 * Marks live messages as expired, oldest first. Nothing depends on it immediately, because no statement of the site shows an
 * expired message. It keeps the index of the lists small, and the console correct. Browsers know when a message expires, so
 * there is no signal.
 */
export async function expireMessages(pool: Pool, now: Micros): Promise<{ expired: number }> {
  const { rowCount } = await pool.query({
    name: 'expire_notifications',
    text: `update notification n set state = 'expired', state_since = n.expires_at
             from (select message_id from notification
                    where state = 'live' and expires_at < 'infinity' and expires_at <= $1
                    order by expires_at limit $2 for update skip locked) due
            where n.message_id = due.message_id`,
    values: [timestamptzText(now), maxBatch],
  });
  return { expired: rowCount ?? 0 };
}
