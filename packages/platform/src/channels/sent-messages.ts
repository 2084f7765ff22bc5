import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { callChannels, listCalls } from './calls/index.ts';
import { type EmailState, listEmails } from './email/index.ts';
import type { MessageFilter } from './newest-messages.ts';

/** The channels whose messages go to a provider. */
export const sentChannels = ['email', ...callChannels] as const;
export type SentChannel = (typeof sentChannels)[number];

/** An e-mail, an SMS, a webhook call, or a message by the operator's channel. */
export interface SentMessage {
  message_id: number;
  channel: SentChannel;
  user_id: string | null;
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  /** The subject of an e-mail, or the title or text of a message. For a webhook, the host that is called. */
  about: string;
  state: EmailState;
  reason: string | null;
  decision_id: number | null;
  created_at: Micros;
  sent_at: Micros | null;
  ended_at: Micros | null;
}

/** Messages of these channels in one list, newest first. Each channel is searched as in its own list. */
export async function listSentMessages(
  pool: Pool,
  brandId: number,
  { channels, ...filter }: MessageFilter & { channels: readonly SentChannel[] },
  page: { limit: number; before?: number | undefined },
): Promise<SentMessage[]> {
  const lists = await Promise.all(
    channels.map(async (channel): Promise<SentMessage[]> => {
      if (channel === 'email') {
        const emails = await listEmails(pool, brandId, filter, page);
        return emails.map((email) => ({ ...email, channel, about: email.subject }));
      }
      const calls = await listCalls(pool, brandId, { ...filter, channel }, page);
      return calls.map((call) => ({ ...call, about: call.content.title || call.content.text || call.target }));
    }),
  );
  return lists
    .flat()
    .toSorted((a, b) => b.message_id - a.message_id)
    .slice(0, page.limit);
}
