import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { isUnsettled } from '../../gate/index.ts';
import { notBeingRecalled, notTakenBack, notWaiting } from '../notifications/columns.ts';
import { mostUnreadCounted, shelvesOf } from '../notifications/site-store.ts';

/** Unread inbox messages of many players at once, each up to `mostUnreadCounted`; players without any are left out. */
export async function countUnreadInbox(
  pool: Pool,
  playerIds: readonly number[],
  now: Micros,
): Promise<Map<number, number>> {
  if (playerIds.length === 0) return new Map();
  const { rows } = await pool.query<{ player_id: number; count: number }>({
    name: 'count_unread_of_players',
    text: `select p.player_id, count(*) as count
             from unnest($1::bigint[]) as p (player_id)
            cross join lateral (select ${isUnsettled('p.player_id')} as is_unsettled offset 0) u
            cross join lateral (
              select from notification n
               where n.player_id = p.player_id and n.state = 'live' and n.shelf = $2
                 and -n.message_id > $3::bigint and n.expires_at > $4 and ${notBeingRecalled}
                 and ${notTakenBack('p.player_id')} and ${notWaiting('u.is_unsettled')}
               order by -n.message_id limit $5
            ) n group by p.player_id`,
    values: [
      playerIds,
      shelvesOf({ unreadOnly: true, inboxOnly: true })[0],
      -Number.MAX_SAFE_INTEGER,
      timestamptzText(now),
      mostUnreadCounted,
    ],
  });
  return new Map(rows.map(({ player_id, count }) => [player_id, count]));
}
