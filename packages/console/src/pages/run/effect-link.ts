import { messagePlace } from '../player/message-place.ts';

interface Effect {
  channel?: string | undefined;
  message_id?: number | undefined;
  intent_id?: string | undefined;
}

/**
 * Returns the page that shows the effect of a step, or undefined if there is none. Pure.
 *
 * @param userId null if the player was erased
 */
export function effectLink(
  { channel, message_id, intent_id }: Effect,
  userId: string | null,
): { to: string; search?: Record<string, string> } | undefined {
  if (intent_id !== undefined) return { to: `rewards/intents/${encodeURIComponent(intent_id)}` };
  if (message_id === undefined || userId === null) return undefined;
  return messagePlace({ userId, channel: channel ?? 'site', messageId: message_id });
}
