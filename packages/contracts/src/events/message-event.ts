import { informational, optional } from '../fields/field.ts';
import { id } from '../fields/id.ts';
import { closedSet } from '../fields/set.ts';
import { label } from '../fields/text.ts';
import { timestamp, userId } from './every-event.ts';
import { message } from './message.ts';

/** The reports that can arrive about a message. */
export const messageReports = [
  'delivered',
  'shown',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'replied',
  'reached',
  'not_reached',
] as const;
export type MessageReport = (typeof messageReports)[number];

/**
 * A report about a message of the platform, by its provider, a mail server or the person who called the player. The
 * platform itself writes this event. The reporter gives each report an id, and `event_id` contains this id and the
 * provider's name. So a repeated report has the same `event_id`, and the whole event is the same.
 */
export const messageEvent = message({
  kind: 'message_event',
  fields: {
    user_id: userId,
    timestamp,
    event_id: id('Identifier of the report: the name of the provider, and its own identifier of the report.'),
    what: closedSet(messageReports, 'What happened to the message.'),
    channel: id('Channel of the message.'),
    provider: id('Who reported it.'),
    message_id: optional(id('The message. Absent for a reply without a known message.')),
    campaign_id: optional(id('Campaign of the message.')),
    reference: optional(id("The provider's own identifier of the message.")),
    reason: optional(
      id(
        'For a bounce: `hard`, `soft`, or `policy` if the sender or the content was refused. For an opt-out: how it was reported.',
      ),
    ),
    link: optional(id('For a click: the number of the link in the message, from 1.')),
    detail: informational(label('Text from the provider, without addresses and numbers.')),
  },
  samples: {
    clicked: {
      user_id: '7865312321',
      timestamp: '2026-03-02T14:00:00.25Z',
      event_id: 'sendgrid:sg_event_id-1',
      what: 'clicked',
      channel: 'email',
      provider: 'sendgrid',
      message_id: '77041',
      campaign_id: 'welcome',
      reference: '14c5d75ce93.dfd.64b469',
      link: '1',
    },
    bounced: {
      user_id: '7865312321',
      timestamp: '2026-03-02T14:00:01Z',
      event_id: 'mail:77042:failed',
      what: 'bounced',
      channel: 'email',
      provider: 'mail',
      message_id: '77042',
      reason: 'hard',
      detail: '5.1.1 no such user',
    },
  },
});
