import type { PlayerChannel } from './channel.ts';
import { createEmails } from './email/create.ts';
import { emailDueTimes } from './email/due-times.ts';
import type { EmailMessage } from './email/message.ts';
import { endUnsentEmails, forgetEmails, protectEmails, recallEmail } from './email/protect.ts';
import { cleanContent } from './notifications/content.ts';
import { createNotifications } from './notifications/create.ts';
import { type NotificationContent, notificationDueTimes } from './notifications/index.ts';
import { protectMessages } from './notifications/protect.ts';
import { advanceRecall, endUnsentMessages, orderRecall, recallMessage } from './notifications/recall.ts';
import { dropAtLogout, dropSubscriptions, protectPushes } from './push/drop.ts';
import { pushDueTimes } from './push/index.ts';
import { checkEmail } from './templates/index.ts';

/** Messages in the inbox of the site. A player's action is stored immediately, in the call that makes it. */
export const siteChannel: PlayerChannel<NotificationContent> = {
  name: 'site',
  asks: ['site'],
  received: ['shown', 'read', 'clicked', 'closed', 'deleted'],
  dueTimes: notificationDueTimes,
  compose: cleanContent,
  send: (tx, gate, messages, at) =>
    createNotifications(
      tx,
      gate,
      messages.map((message) => ({ ...message, channel: 'site' })),
      at,
    ),
  endUnsent: endUnsentMessages,
  recall: (tx, order, at) => recallMessage(tx, order, at),
  async recallCampaign(tx, order) {
    const { recall_id } = await orderRecall(tx, order);
    return {
      recall_id,
      async advance(deps) {
        const advanced = await advanceRecall(deps, recall_id);
        return advanced && { done: advanced.recall.phase === 'done', signals: advanced.signals };
      },
    };
  },
  protect: (tx, transitions, at) => protectMessages(tx, transitions, at),
  // Without a session, the site returns no messages.
  logout: async () => {},
  // Nothing to do: its rows are deleted with the player's tables, and it sends nothing.
  forget: async () => {},
};

/**
 * Messages in the inbox that are also announced on the player's devices. The push is only the announcement, so it ends with its message.
 */
export const pushChannel: PlayerChannel<NotificationContent> = {
  name: 'push',
  asks: ['push', 'site'],
  received: ['clicked'],
  dueTimes: pushDueTimes,
  compose: cleanContent,
  send: (tx, gate, messages, at) =>
    createNotifications(
      tx,
      gate,
      messages.map((message) => ({ ...message, channel: 'push' })),
      at,
    ),
  // A waiting delivery of a message in the inbox checks before its call whether the order was cancelled.
  endUnsent: endUnsentMessages,
  // The message is recalled; a waiting delivery checks the message before its call.
  recall: (tx, order, at) => recallMessage(tx, order, at),
  recallCampaign: async () => null,
  async protect(tx, transitions, at) {
    await protectPushes(tx, transitions, at);
    return { signals: [] };
  },
  async logout(tx, ends) {
    await dropAtLogout(tx, ends);
  },
  async forget(tx, playerIds, at) {
    await dropSubscriptions(tx, playerIds, at);
  },
};

/** E-mails through the brand's SMTP server. */
export const emailChannel: PlayerChannel<EmailMessage> = {
  name: 'email',
  asks: ['email'],
  received: ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'],
  dueTimes: emailDueTimes,
  // Templates render, sanitize and compile the whole e-mail; this only checks whether it can be sent.
  compose: (content) => ({ content, errors: checkEmail(content) }),
  send: (tx, gate, messages, at) => createEmails(tx, gate, messages, at),
  endUnsent: endUnsentEmails,
  recall: (tx, order, at) => recallEmail(tx, order, at),
  // Before its call, a waiting e-mail checks whether its campaign was recalled. The channel of the inbox stores the recall.
  recallCampaign: async () => null,
  async protect(tx, transitions) {
    await protectEmails(tx, transitions);
    return { signals: [] };
  },
  // An address belongs to no session.
  logout: async () => {},
  forget: (tx, playerIds, at) => forgetEmails(tx, playerIds, at),
};
