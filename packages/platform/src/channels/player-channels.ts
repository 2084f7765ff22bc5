import type { PlayerChannel } from './channel.ts';
import { createEmails } from './email/create.ts';
import { emailDueTimes } from './email/due-times.ts';
import type { EmailMessage } from './email/message.ts';
import { forgetEmails, protectEmails, recallEmail } from './email/protect.ts';
import { cleanContent } from './notifications/content.ts';
import { createNotifications } from './notifications/create.ts';
import { type NotificationContent, notificationDueTimes } from './notifications/index.ts';
import { protectMessages } from './notifications/protect.ts';
import { advanceRecall, orderRecall, recallMessage } from './notifications/recall.ts';
import { dropAtLogout, dropSubscriptions, protectPushes } from './push/drop.ts';
import { pushDueTimes } from './push/index.ts';
import { checkEmail } from './templates/index.ts';

/** Messages in the inbox of the site. What the player does to one is known at once, in the call that does it. */
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
  // The session ends, and with it every answer of the site.
  logout: async () => {},
  // Its rows go with the player's tables; nothing of them is on its way.
  forget: async () => {},
};

/** The same messages, with a bell on the devices of the player: the push is only the bell, so it goes with its message. */
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
  // What is taken back is the message; a delivery that waits asks for it before its call.
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

/** E-mails by the brand's SMTP server. */
export const emailChannel: PlayerChannel<EmailMessage> = {
  name: 'email',
  asks: ['email'],
  received: ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'],
  dueTimes: emailDueTimes,
  // A whole e-mail is made by templates, sanitised and compiled; what is left is to look whether it can be sent.
  compose: (content) => ({ content, errors: checkEmail(content) }),
  send: (tx, gate, messages, at) => createEmails(tx, gate, messages, at),
  recall: (tx, order, at) => recallEmail(tx, order, at),
  // An e-mail that waits looks for the recall of its campaign, which the inbox writes, before its call.
  recallCampaign: async () => null,
  async protect(tx, transitions) {
    await protectEmails(tx, transitions);
    return { signals: [] };
  },
  // An address is of no session.
  logout: async () => {},
  forget: (tx, playerIds, at) => forgetEmails(tx, playerIds, at),
};
