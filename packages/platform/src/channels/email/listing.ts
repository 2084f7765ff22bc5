import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type MessageFilter, newestMessages } from '../newest-messages.ts';
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

const columns = `e.message_id, p.user_id, e.player_id, e.purpose, e.campaign_id, e.template_code, e.version_of_template, e.language,
  e.subject, e.created_at, e.created_by, e.expires_at, e.state, e.reason, e.status, e.detail, e.attempts, e.decision_id, e.due_at,
  e.sent_at, e.ended_at, e.ended_by`;

/** Newest first. Only the next 100,000 e-mails are searched for a page (newest-messages.ts). */
export async function listEmails(
  pool: Pool,
  brandId: number,
  filter: MessageFilter,
  page: { limit: number; before?: number | undefined },
): Promise<ListedEmail[]> {
  const { from, values } = newestMessages('email_message', brandId, filter, page);
  const { rows } = await pool.query<ListedEmail>(`select ${columns} from ${from('e')}`, values);
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
