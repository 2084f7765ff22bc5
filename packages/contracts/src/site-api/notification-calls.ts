import Type, { type TSchema } from 'typebox';
import type { Call, Parameter } from '../calls/call.ts';
import { answered, refused, sessionRefusals } from './answers.ts';
import * as records from './records.ts';
import { sampleNotification } from './samples.ts';

/** The notification API: docs/reference/interface.md, Endpoints C and docs/reference/decisions.md 8. */
const notificationId: Parameter = {
  in: 'path',
  name: 'ID',
  required: true,
  description: 'MessageId of the notification.',
  schema: Type.Integer(),
  example: 1201,
};

const inboxOnly = filter('inbox-only', Type.Boolean(), 'True: only those with the event inbox.');
const filters: readonly Parameter[] = [
  filter('unread-only', Type.Boolean(), 'True: only unread ones.'),
  inboxOnly,
  filter('without-inbox', Type.Boolean(), 'True: only those without the event inbox, which a page shows at once.'),
  filter(
    'without-closed',
    Type.Boolean(),
    'True: without modals and banners that the player has closed and not read, so those that a page shows by itself.',
  ),
  filter('limit', Type.Integer({ minimum: 1, maximum: 100, default: 100 }), 'At most so many.'),
  filter(
    'before',
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    'Only those older than this MessageId.',
  ),
];

function filter(name: string, schema: TSchema, description: string): Parameter {
  return { in: 'query', name, description, schema };
}

const wrongFilter = refused('A filter has a value that it cannot have; the message names it.', 'invalid_request');
const unknownId = refused(
  'The player has no such notification, or it was taken away; nothing tells whether another one has.',
  'unknown_notification',
);

export const notificationCalls: readonly Call[] = [
  {
    name: 'listNotifications',
    method: 'GET',
    path: '/Notifications/v2/user-notifications',
    tag: 'Notifications',
    summary: 'Notifications of the player, newest first',
    description: 'Expired and deleted ones are left out.',
    parameters: filters,
    answers: [
      answered('NotificationList', Type.Array(records.notificationRecord), [sampleNotification], 'The notifications.'),
      wrongFilter,
      ...sessionRefusals,
    ],
  },
  {
    name: 'countUnread',
    method: 'GET',
    path: '/Notifications/v2/unread-count',
    tag: 'Notifications',
    summary: 'How many notifications are unread',
    description: 'Counted to 1,000 and no further: that number means "or more".',
    parameters: [inboxOnly],
    answers: [
      answered('UnreadCount', Type.Integer({ minimum: 0, maximum: 1_000 }), 3, 'The number.'),
      wrongFilter,
      ...sessionRefusals,
    ],
  },
  {
    name: 'getNotification',
    method: 'GET',
    path: '/Notifications/v2/user-notification/{ID}',
    tag: 'Notifications',
    summary: 'One notification',
    parameters: [notificationId],
    answers: [
      answered('NotificationAnswer', records.notificationRecord, sampleNotification, 'The notification.'),
      ...sessionRefusals,
      unknownId,
    ],
  },
  {
    name: 'deleteNotification',
    method: 'DELETE',
    path: '/Notifications/v2/user-notification/{ID}',
    tag: 'Notifications',
    summary: 'Delete a notification',
    description: 'Deleting again is harmless, and so is deleting one that has expired.',
    parameters: [notificationId],
    answers: [answered('DeleteAnswer', Type.Null(), null, 'It is deleted.'), ...sessionRefusals, unknownId],
  },
  {
    name: 'markNotificationAsRead',
    method: 'POST',
    path: '/Notifications/MarkNotificationAsRead',
    tag: 'Notifications',
    summary: 'Mark a notification as read',
    description:
      'Marking again is harmless, and so is marking one that has expired. MessageId may also be a text of digits.',
    request: {
      schema: records.markAsReadRequest,
      schemaName: 'MarkAsReadRequest',
      samples: { read: { MessageId: 1201 } },
    },
    answers: [
      answered('MarkAsReadAnswer', Type.Boolean(), true, 'It is read.'),
      refused('The body is no JSON object with a MessageId.', 'malformed_json', 'invalid_request'),
      ...sessionRefusals,
      unknownId,
      refused('The body is larger than 64 KiB.', 'body_too_large'),
      refused('The body is said to be something else than JSON.', 'unsupported_content_type'),
    ],
  },
  {
    name: 'tellMessageActivity',
    method: 'POST',
    path: '/Crm/MessageActivity',
    tag: 'Notifications',
    summary: 'Tell what happened to notifications on the screen: shown, clicked, closed',
    description:
      'The first time of each counts, so telling it again is harmless; gather what happens within a second or so into one call. Ids that the player does not have are skipped. A notification that was closed stays unread. For a self-built front end; the browser script does it by itself.',
    request: {
      schema: records.messageActivityRequest,
      schemaName: 'MessageActivityRequest',
      samples: {
        told: {
          Items: [
            { MessageId: 1201, Activity: 'shown' },
            { MessageId: 1201, Activity: 'closed' },
          ],
        },
      },
    },
    answers: [
      answered('MessageActivityAnswer', Type.Boolean(), true, 'It is recorded.'),
      refused(
        'The body is not what the schema says; the message names the field.',
        'malformed_json',
        'invalid_request',
      ),
      ...sessionRefusals,
      refused('The body is larger than 16 KiB.', 'body_too_large'),
      refused('The body is said to be something else than JSON.', 'unsupported_content_type'),
    ],
  },
];
