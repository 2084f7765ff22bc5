import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { EmailState } from './email/index.ts';
import type { EntryState } from './lists/index.ts';

/** A message outside the lists of the site: an e-mail, an SMS, a webhook call, a list entry. */
export interface MessageElsewhere {
  message_id: number;
  channel: 'email' | 'sms' | 'webhook' | 'operator' | 'telephone' | 'post_mail';
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  state: EmailState | EntryState;
  reason: string | null;
  /** Since when it has been in that state, if that is stored. */
  state_since: Micros;
}

/** The newest messages of a player over all channels except the site and push. */
export async function listMessagesElsewhere(
  pool: Pool,
  playerId: number,
  { limit }: { limit: number },
): Promise<MessageElsewhere[]> {
  const { rows } = await pool.query<MessageElsewhere>(
    `select message_id, 'email' as channel, purpose, campaign_id, state, reason, coalesce(ended_at, sent_at, created_at) as state_since
       from email_message where player_id = $1
     union all
     select message_id, channel, purpose, campaign_id, state, reason, coalesce(ended_at, sent_at, created_at) from called_message
      where player_id = $1
     union all
     select message_id, channel, purpose, campaign_id, state, reason, coalesce(ended_at, exported_at, created_at) from list_entry
      where player_id = $1
     order by message_id desc limit $2`,
    [playerId, limit],
  );
  return rows;
}
