import type { ClientBase, Pool } from 'pg';
import type { MessageCounts } from '../../derive/index.ts';

/**
 * How many messages a player has received, and what became of them, by campaign; '' is the messages of no campaign. Received is what went out; a
 * message that was withheld or dropped never did. Messages that the brand keeps no longer are counted no longer (old.ts).
 */
export async function readMessageCounts(
  db: Pool | ClientBase,
  playerId: number,
): Promise<ReadonlyMap<string, MessageCounts>> {
  const { rows } = await db.query<MessageCounts & { campaign: string }>({
    name: 'read_message_counts',
    text: `select coalesce(campaign_id, '') as campaign, count(*)::int as received, count(shown_at)::int as shown,
                  count(read_at)::int as read, count(clicked_at)::int as clicked
           from notification where player_id = $1 and live_at is not null
           group by campaign_id order by campaign_id collate "C"`,
    values: [playerId],
  });
  return new Map(rows.map(({ campaign, ...counts }) => [campaign, counts]));
}
