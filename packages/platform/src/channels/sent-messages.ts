import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { callChannels, type ListedCall, listCalls } from './calls/index.ts';
import { type EmailState, listEmails } from './email/index.ts';
import type { Found, NewestPage } from './newest-first.ts';
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

/**
 * Messages of these channels in one list, newest first. Each channel is searched as in its own list.
 *
 * If the searches of channels stop at different ids, the page ends at the highest of them, because every channel was searched
 * down to that id. Messages below it are on the next pages, even if the search of their channel found them.
 */
export async function listSentMessages(
  pool: Pool,
  brandId: number,
  { channels, ...filter }: MessageFilter & { channels: readonly SentChannel[] },
  page: NewestPage,
): Promise<Found<SentMessage>> {
  const lists = await Promise.all(
    channels.map(async (channel): Promise<Found<SentMessage>> => {
      if (channel === 'email') {
        const { rows, searched_to } = await listEmails(pool, brandId, filter, page);
        return { rows: rows.map((email) => ({ ...email, channel, about: email.subject })), searched_to };
      }
      const { rows, searched_to } = await listCalls(pool, brandId, { ...filter, channel }, page);
      const about = ({ content, target }: ListedCall) => content.title || content.text || target;
      return { rows: rows.map((call) => ({ ...call, about: about(call) })), searched_to };
    }),
  );
  const end = Math.max(0, ...lists.map(({ searched_to }) => searched_to ?? 0));
  const rows = lists
    .flatMap((list) => list.rows)
    .filter(({ message_id }) => message_id >= end)
    .toSorted((a, b) => b.message_id - a.message_id)
    .slice(0, page.limit);
  return { rows, searched_to: end === 0 ? null : end };
}
