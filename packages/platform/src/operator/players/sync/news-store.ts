import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { LookUp } from '../../judging/index.ts';

/**
 * Marks requests that were made because the operator's records changed: the record counts as outdated until that request, or a
 * later one, is answered. `received_at` is the time at which the update was received. Null means a long time ago, for example
 * for an update that is older than the history. The function runs in the transaction of the request, which holds the locks on the rows.
 */
export async function noteNews(
  tx: ClientBase,
  news: readonly { player_id: number; look_up: LookUp; received_at: Micros | null }[],
): Promise<void> {
  if (news.length === 0) return;
  await tx.query({
    name: 'note_news',
    text: `update player_sync s
              set news = s.requested,
                  news_at = case when s.news > s.done then least(s.news_at, n.received_at) else n.received_at end
             from (select player_id, look_up, min(received_at) as received_at
                     from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as n (player_id, look_up, received_at)
                    group by player_id, look_up) n
            where s.player_id = n.player_id and s.look_up = n.look_up`,
    values: [
      news.map((one) => one.player_id),
      news.map((one) => one.look_up),
      news.map((one) => (one.received_at === null ? null : timestamptzText(one.received_at))),
    ],
  });
}
