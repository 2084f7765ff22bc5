import { sentMessageAddress } from '../messages/sent/address.ts';

interface PlayerMessage {
  userId: string;
  channel: string;
  messageId: number | string;
}

/**
 * Returns the page that shows a message. Each message that a provider delivers has its own page. The others are rows on
 * the player's page: messages of the site and pushes in the first list, entries of contact lists in the second one. Pure.
 */
export function messagePlace({ userId, channel, messageId }: PlayerMessage): {
  to: string;
  search?: Record<string, string>;
} {
  const address = sentMessageAddress(channel, messageId);
  if (address !== undefined) return { to: address };
  const row: Record<string, string> =
    channel === 'site' || channel === 'push'
      ? { row: String(messageId) }
      : { 'elsewhere.row': `${channel} ${messageId}` };
  return { to: `players/${encodeURIComponent(userId)}`, search: { tab: 'messages', ...row } };
}
