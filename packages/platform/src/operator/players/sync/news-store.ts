import type { ClientBase } from 'pg';
import type { LookUp } from '../../judging/index.ts';

/**
 * Marks requests that were made because the operator's records changed: the record counts as outdated until that request, or a
 * later one, is answered. Runs in the transaction of the request, which holds the locks on the rows.
 */
export async function noteNews(tx: ClientBase, news: readonly { player_id: number; look_up: LookUp }[]): Promise<void> {
  if (news.length === 0) return;
  await tx.query({
    name: 'note_news',
    text: `update player_sync s set news = s.requested
             from unnest($1::bigint[], $2::text[]) as n (player_id, look_up)
            where s.player_id = n.player_id and s.look_up = n.look_up`,
    values: [news.map((one) => one.player_id), news.map((one) => one.look_up)],
  });
}
