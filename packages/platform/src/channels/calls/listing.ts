import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Found, NewestPage } from '../newest-first.ts';
import { findNewestMessages, type MessageFilter } from '../newest-messages.ts';
import type { CallChannel, CallState } from './message.ts';

/** A message by SMS, webhook or the operator's channel, as shown to people. */
export interface ListedCall {
  message_id: number;
  user_id: string | null;
  player_id: number;
  channel: CallChannel;
  target: string;
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  template_code: string | null;
  version_of_template: number | null;
  language: string | null;
  content: Record<string, string>;
  parts: number | null;
  created_at: Micros;
  created_by: string;
  expires_at: Micros;
  state: CallState;
  reason: string | null;
  status: number | null;
  detail: string | null;
  provider_id: string | null;
  attempts: number;
  decision_id: number | null;
  due_at: Micros | null;
  sent_at: Micros | null;
  ended_at: Micros | null;
  ended_by: string | null;
}

export interface CallFilter extends MessageFilter {
  channel: CallChannel;
}

const columns = `m.message_id, p.user_id, m.player_id, m.channel, m.target, m.purpose, m.campaign_id, m.template_code,
  m.version_of_template, m.language, m.content, m.parts, m.created_at, m.created_by, m.expires_at, m.state, m.reason, m.status, m.detail,
  m.provider_id, m.attempts, m.decision_id, m.due_at, m.sent_at, m.ended_at, m.ended_by`;

/** Newest first. A page searches the next 100,000 messages (newest-messages.ts). */
export function listCalls(
  pool: Pool,
  brandId: number,
  filter: CallFilter,
  page: NewestPage,
): Promise<Found<ListedCall>> {
  return findNewestMessages(pool, { table: 'called_message', columns }, brandId, filter, page);
}

export async function readCall(pool: Pool, brandId: number, messageId: number): Promise<ListedCall | null> {
  const { rows } = await pool.query<ListedCall>(
    `select ${columns} from called_message m left join player p on p.player_id = m.player_id
      where m.brand_id = $1 and m.message_id = $2`,
    [brandId, messageId],
  );
  return rows[0] ?? null;
}
