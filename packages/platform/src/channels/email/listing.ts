import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { EmailState } from './message.ts';

/** An e-mail as shown to people. */
export interface ListedEmail {
  message_id: number;
  user_id: string | null;
  player_id: number;
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  template_code: string | null;
  version_of_template: number | null;
  language: string | null;
  subject: string;
  created_at: Micros;
  created_by: string;
  expires_at: Micros;
  state: EmailState;
  reason: string | null;
  status: number | null;
  detail: string | null;
  attempts: number;
  decision_id: number | null;
  due_at: Micros | null;
  sent_at: Micros | null;
  ended_at: Micros | null;
  ended_by: string | null;
}

export interface EmailFilter {
  player_id?: number | undefined;
  state?: EmailState | undefined;
  reason?: string | undefined;
  campaign_id?: string | undefined;
}

const columns = `e.message_id, p.user_id, e.player_id, e.purpose, e.campaign_id, e.template_code, e.version_of_template, e.language,
  e.subject, e.created_at, e.created_by, e.expires_at, e.state, e.reason, e.status, e.detail, e.attempts, e.decision_id, e.due_at,
  e.sent_at, e.ended_at, e.ended_by`;

/** Newest first. Only the next 100,000 e-mails are searched for a page. */
export async function listEmails(
  pool: Pool,
  brandId: number,
  { player_id, state, reason, campaign_id }: EmailFilter,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<ListedEmail[]> {
  const newest = player_id === undefined ? 'brand_id = $1' : 'brand_id = $1 and player_id = $7';
  const { rows } = await pool.query<ListedEmail>(
    `select ${columns}
       from (select * from email_message where ${newest} and message_id < $2 order by message_id desc limit 100000) e
       left join player p on p.player_id = e.player_id
      where ($3::text is null or e.state = $3) and ($4::text is null or e.reason = $4) and ($5::text is null or e.campaign_id = $5)
      order by e.message_id desc limit $6`,
    [
      brandId,
      before ?? Number.MAX_SAFE_INTEGER,
      state ?? null,
      reason ?? null,
      campaign_id ?? null,
      limit,
      ...(player_id === undefined ? [] : [player_id]),
    ],
  );
  return rows;
}

/** Includes the content. */
export async function readEmail(
  pool: Pool,
  brandId: number,
  messageId: number,
): Promise<(ListedEmail & { html: string; plain: string }) | null> {
  const { rows } = await pool.query<ListedEmail & { html: string; plain: string }>(
    `select ${columns}, e.html, e.plain from email_message e left join player p on p.player_id = e.player_id
      where e.brand_id = $1 and e.message_id = $2`,
    [brandId, messageId],
  );
  return rows[0] ?? null;
}
