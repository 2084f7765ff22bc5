import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { every } from '../../../api/live.ts';

const refreshMs = 4_000;

/** One message with its content, the decisions of the gate, and the reports about it. @param id such as `email-17` */
export const sentMessageQuery = (brand: string, id: string) =>
  queryOptions({
    queryKey: [brand, 'sent-message', id],
    queryFn: () => readSentMessage(brand, id),
    refetchInterval: every(refreshMs),
  });

async function readSentMessage(brand: string, id: string) {
  const message_id = Number(id.slice(id.lastIndexOf('-') + 1));
  const params = { path: { brand, message_id } };
  if (!id.startsWith('email-'))
    return bodyOf(api.GET('/api/console/v1/brands/{brand}/called-messages/{message_id}', { params }));
  const { email, html, text, decisions, reports } = await bodyOf(
    api.GET('/api/console/v1/brands/{brand}/emails/{message_id}', { params }),
  );
  const content = html === null ? null : { subject: email.subject, html, text };
  // The fields that only the messages of other channels have.
  const others = { target: '', parts: null, provider_id: null };
  return { message: { ...email, ...others, channel: 'email' as const, content }, decisions, reports };
}

export type SentMessageShown = Awaited<ReturnType<typeof readSentMessage>>;
