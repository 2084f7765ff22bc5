import type { Pool } from 'pg';
import type { NamedMessage } from '../message-tokens.ts';
import type { LinkedWords } from './links.ts';
import type { TrackedPlayer } from './may-track.ts';

/** The e-mail to which a tracked link or a picture refers. */
export interface TrackedEmail extends LinkedWords, TrackedPlayer {
  message_id: number;
  player_id: number;
  campaign_id: string | null;
}

/** @returns null if the brand no longer has this e-mail, or its player was erased */
export async function readTrackedEmail(
  pool: Pool,
  { brand_id, message_id }: NamedMessage,
): Promise<TrackedEmail | null> {
  const { rows } = await pool.query<TrackedEmail>({
    name: 'read_tracked_email',
    text: `select e.message_id, e.player_id, e.campaign_id, e.html, e.plain, f.market, f.country
             from email_message e join player p on p.player_id = e.player_id and p.erased_at is null
             left join player_profile f on f.player_id = e.player_id
            where e.message_id = $2 and e.brand_id = $1`,
    values: [brand_id, message_id],
  });
  return rows[0] ?? null;
}
