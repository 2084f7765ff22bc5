import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type MessageFilter, newestMessages } from '../newest-messages.ts';
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

const columns = `c.message_id, p.user_id, c.player_id, c.channel, c.target, c.purpose, c.campaign_id, c.template_code,
  c.version_of_template, c.language, c.content, c.parts, c.created_at, c.created_by, c.expires_at, c.state, c.reason, c.status, c.detail,
  c.provider_id, c.attempts, c.decision_id, c.due_at, c.sent_at, c.ended_at, c.ended_by`;

/** Newest first. Only the next 100,000 messages are searched for a page (newest-messages.ts). */
export async function listCalls(
  pool: Pool,
  brandId: number,
  filter: CallFilter,
  page: { limit: number; before?: number | undefined },
): Promise<ListedCall[]> {
  const { from, values } = newestMessages('called_message', brandId, filter, page);
  const { rows } = await pool.query<ListedCall>(`select ${columns} from ${from('c')}`, values);
  return rows;
}

export async function readCall(pool: Pool, brandId: number, messageId: number): Promise<ListedCall | null> {
  const { rows } = await pool.query<ListedCall>(
    `select ${columns} from called_message c left join player p on p.player_id = c.player_id
      where c.brand_id = $1 and c.message_id = $2`,
    [brandId, messageId],
  );
  return rows[0] ?? null;
}
