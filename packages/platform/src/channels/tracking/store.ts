import type { Pool } from 'pg';
import type { LinkedWords } from './links.ts';
import type { TrackedChannel, TrackedPlayer } from './may-track.ts';

/** The message to which a tracked link or a picture refers. */
export interface TrackedMessage extends LinkedWords, TrackedPlayer {
  message_id: number;
  brand_id: number;
  player_id: number;
  campaign_id: string | null;
}

const messages: Readonly<Record<TrackedChannel, string>> = {
  email: 'select message_id, brand_id, player_id, campaign_id, html, plain from email_message',
  sms: `select message_id, brand_id, player_id, campaign_id, '' as html, coalesce(content ->> 'text', '') as plain
          from called_message where channel = 'sms'`,
};

/** @returns null if the message is no longer stored, or its player was erased */
export async function readTrackedMessage(
  pool: Pool,
  channel: TrackedChannel,
  messageId: number,
): Promise<TrackedMessage | null> {
  const { rows } = await pool.query<TrackedMessage>({
    name: `read_tracked_${channel}`,
    text: `select m.*, f.market, f.country
             from (${messages[channel]}) m join player p on p.player_id = m.player_id and p.erased_at is null
             left join player_profile f on f.player_id = m.player_id
            where m.message_id = $1`,
    values: [messageId],
  });
  return rows[0] ?? null;
}
