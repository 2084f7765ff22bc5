import type { ClientBase, Pool } from 'pg';
import { type MessageCounts, reportedMessages } from '../../derive/index.ts';

/**
 * How many messages a player has received, and their outcomes, by campaign; '' is for messages without a campaign. A
 * message counts as received if it was live on the site (not if it was withheld or dropped), or if another channel reports it
 * as received. Site messages that the brand no longer keeps are not counted (old.ts).
 */
export async function readMessageCounts(
  db: Pool | ClientBase,
  playerId: number,
): Promise<ReadonlyMap<string, MessageCounts>> {
  const { rows } = await db.query<MessageCounts & { campaign: string }>({
    name: 'read_message_counts',
    text: `select coalesce(campaign_id, '') as campaign, count(*)::int as received, count(shown_at)::int as shown,
                  count(read_at)::int as read, count(clicked_at)::int as clicked
           from (select player_id, campaign_id, shown_at, read_at, clicked_at from notification where live_at is not null
                 union all ${reportedMessages}) m where player_id = $1
           group by coalesce(campaign_id, '') order by coalesce(campaign_id, '') collate "C"`,
    values: [playerId],
  });
  return new Map(rows.map(({ campaign, ...counts }) => [campaign, counts]));
}
