import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Found, NewestPage } from '../newest-first.ts';
import { findNewestMessages, type MessageFilter } from '../newest-messages.ts';
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

const columns = `m.message_id, p.user_id, m.player_id, m.purpose, m.campaign_id, m.template_code, m.version_of_template, m.language,
  m.subject, m.created_at, m.created_by, m.expires_at, m.state, m.reason, m.status, m.detail, m.attempts, m.decision_id, m.due_at,
  m.sent_at, m.ended_at, m.ended_by`;

/** Newest first. A page searches the next 100,000 e-mails (newest-messages.ts). */
export function listEmails(
  pool: Pool,
  brandId: number,
  filter: MessageFilter,
  page: NewestPage,
): Promise<Found<ListedEmail>> {
  return findNewestMessages(pool, { table: 'email_message', columns }, brandId, filter, page);
}

/** Includes the content. */
export async function readEmail(
  pool: Pool,
  brandId: number,
  messageId: number,
): Promise<(ListedEmail & { html: string; plain: string }) | null> {
  const { rows } = await pool.query<ListedEmail & { html: string; plain: string }>(
    `select ${columns}, m.html, m.plain from email_message m left join player p on p.player_id = m.player_id
      where m.brand_id = $1 and m.message_id = $2`,
    [brandId, messageId],
  );
  return rows[0] ?? null;
}
