import { sentMessageAddress } from '../messages/sent/address.ts';
import { messagePlace } from '../player/message-place.ts';

/** The pages of those kinds of subjects of the staff audit that have one. */
const pages: Readonly<Record<string, string>> = {
  campaign: 'campaigns',
  segment: 'segments',
  template: 'messages/templates',
  channel: 'settings/channels',
  rebuild: 'integration/rebuilds',
  quarantine: 'integration/quarantine',
  reconciliation: 'integration/reconciliations',
  'bonus intent': 'rewards/intents',
  'bulk action': 'messages/bulk-actions',
};

export interface SubjectOwner {
  /** The operator's id of the player, if the subject is a player. */
  userId: string | null;
  /** Null if the subject is no message, or the message was deleted. */
  message: { channel: string; user_id: string | null } | null;
}

/** Returns the page that shows a subject of the staff audit; undefined if there is none. Pure. */
export function subjectPlace(
  kind: string,
  id: string,
  { userId, message }: SubjectOwner,
): { to: string; search?: Record<string, string> } | undefined {
  if (userId !== null) return { to: `players/${encodeURIComponent(userId)}` };
  if (kind === 'message') return message === null ? undefined : placeOfMessage(id, message);
  // A budget is a row of their list. It may have been closed.
  if (kind === 'budget') return { to: 'rewards/budgets', search: { closed: 'true', row: id } };
  return Object.hasOwn(pages, kind) ? { to: `${pages[kind]}/${encodeURIComponent(id)}` } : undefined;
}

function placeOfMessage(messageId: string, { channel, user_id }: NonNullable<SubjectOwner['message']>) {
  if (user_id !== null) return messagePlace({ userId: user_id, channel, messageId });
  // An erased player has no page. Each message that a provider delivers has its own page.
  const to = sentMessageAddress(channel, messageId);
  return to === undefined ? undefined : { to };
}
