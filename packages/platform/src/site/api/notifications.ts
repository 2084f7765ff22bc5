import {
  type MarkAsReadRequest,
  markAllAsReadRequest,
  markAsReadRequest,
  notificationRecord,
} from '@croupier/contracts';
import type { PoolClient } from 'pg';
import Type from 'typebox';
import {
  countUnread,
  type DoneByPlayer,
  deleteForPlayer,
  getForPlayer,
  largestList,
  listForPlayer,
  markAllRead,
  markRead,
  recordOf,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { SiteDeps } from './deps.ts';
import { refused } from './documented-answers.ts';
import { endpoint } from './endpoint.ts';
import { SiteRefusal } from './envelope.ts';
import { sampleNotification } from './sample-notification.ts';

/*
 * The notification API (docs/reference/interface.md, Endpoints C; docs/reference/decisions.md 8). No request names the player:
 * a MessageId of another player gets the same answer as one that does not exist.
 */

const tag = 'Notifications';

/**
 * A value that is not an integer identifies no notification: 404, as in the interface for unknown ids, so that the answer
 * reveals nothing.
 */
const oneNotification = {
  params: Type.Object({
    ID: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'MessageId of the notification.',
      examples: [1201],
    }),
  }),
  unknown: 'unknown_notification',
} as const;

const unknownId = refused(
  'The player does not have this notification, or it was withdrawn. The answer does not reveal whether another player has it.',
  'unknown_notification',
);
const wrongFilter = refused('A filter has an invalid value. The message names it.', 'invalid_request');

/** Absent means false. Only the spellings true and false are accepted: ignoring 1 would surprise a page that sends it. */
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const inboxOnly = flag('true: only notifications with the event inbox.');

/**
 * docs/reference/decisions.md 8 defines unread-only, inbox-only, limit and before. Two are our own. With without-inbox, a page
 * gets only its modals and banners, however many inbox messages there are. With without-closed, it does not get those that the
 * player closed. Other parameters are ignored.
 */
const filters = Type.Object({
  'unread-only': flag('true: only unread notifications.'),
  'inbox-only': inboxOnly,
  'without-inbox': flag('true: only modals and banners, which a page shows immediately. No inbox notifications.'),
  'without-closed': flag('true: omits modals and banners that the player closed without reading.'),
  limit: Type.Integer({
    minimum: 1,
    maximum: largestList,
    default: largestList,
    description: 'Maximum number of items.',
  }),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only notifications older than this MessageId.',
    }),
  ),
});

export const listNotifications = endpoint(
  {
    name: 'listNotifications',
    method: 'GET',
    path: '/Notifications/v2/user-notifications',
    tag,
    summary: 'Notifications of the player, newest first',
    description: 'Expired and deleted notifications are omitted.',
    may: 'player',
    query: filters,
    answer: Type.Array(notificationRecord),
    answerShown: { name: 'NotificationList', sample: [sampleNotification], means: 'The notifications.' },
    refusals: [wrongFilter],
  },
  async ({ caller: { player_id }, query }, { pool, clock }) => {
    const listing = {
      unreadOnly: query['unread-only'] ?? false,
      inboxOnly: query['inbox-only'] ?? false,
      withoutInbox: query['without-inbox'] ?? false,
      withoutClosed: query['without-closed'] ?? false,
      limit: query.limit,
      before: query.before ?? null,
    };
    return (await listForPlayer(pool, { player_id, ...listing, now: clock() })).map(recordOf);
  },
);

export const countUnreadNotifications = endpoint(
  {
    name: 'countUnread',
    method: 'GET',
    path: '/Notifications/v2/unread-count',
    tag,
    summary: 'Number of unread notifications',
    description: 'Counted up to 1,000, which means 1,000 or more.',
    may: 'player',
    query: Type.Object({ 'inbox-only': inboxOnly }),
    answer: Type.Integer({ minimum: 0, maximum: 1_000 }),
    answerShown: { name: 'UnreadCount', sample: 3, means: 'The number.' },
    refusals: [wrongFilter],
  },
  ({ caller: { player_id }, query }, { pool, clock }) =>
    countUnread(pool, { player_id, inboxOnly: query['inbox-only'] ?? false, now: clock() }),
);

export const getNotification = endpoint(
  {
    name: 'getNotification',
    method: 'GET',
    path: '/Notifications/v2/user-notification/:ID',
    tag,
    summary: 'One notification',
    may: 'player',
    ...oneNotification,
    answer: notificationRecord,
    answerShown: { name: 'NotificationAnswer', sample: sampleNotification, means: 'The notification.' },
    refusals: [unknownId],
  },
  async ({ caller: { player_id }, params }, { pool, clock }) => {
    const row = await getForPlayer(pool, { player_id, message_id: params.ID, now: clock() });
    if (row === null) throw new SiteRefusal('unknown_notification');
    return recordOf(row);
  },
);

export const deleteNotification = endpoint(
  {
    name: 'deleteNotification',
    method: 'DELETE',
    path: '/Notifications/v2/user-notification/:ID',
    tag,
    summary: 'Delete a notification',
    description: 'A second call changes nothing. You can also delete an expired notification.',
    may: 'player',
    ...oneNotification,
    answer: Type.Null(),
    answerShown: { name: 'DeleteAnswer', sample: null, means: 'It is deleted.' },
    refusals: [unknownId],
  },
  async ({ caller: { player_id }, params }, deps) => {
    await change(deps, (tx) => deleteForPlayer(tx, player_id, params.ID, deps.clock()));
    return null;
  },
);

export const markNotificationAsRead = endpoint(
  {
    name: 'markNotificationAsRead',
    method: 'POST',
    path: '/Notifications/MarkNotificationAsRead',
    tag,
    summary: 'Mark a notification as read',
    description:
      'A second call changes nothing. You can also mark an expired notification. MessageId may be a string of digits.',
    may: 'player',
    body: markAsReadRequest,
    bodyShown: { name: 'MarkAsReadRequest', samples: { read: { MessageId: 1201 } } },
    answer: Type.Boolean(),
    answerShown: { name: 'MarkAsReadAnswer', sample: true, means: 'It is read.' },
    refusals: [
      refused('The body is not a JSON object with a MessageId.', 'malformed_json', 'invalid_request'),
      unknownId,
    ],
  },
  async ({ caller: { player_id }, body }, deps) => {
    const messageId = messageIdOf(body);
    await change(deps, (tx) => markRead(tx, player_id, messageId, deps.clock()));
    return true;
  },
);

/** Our own addition (docs/guides/site.md): a page with a thousand unread messages makes one call. */
export const markAllNotificationsAsRead = endpoint(
  {
    name: 'markAllNotificationsAsRead',
    method: 'POST',
    path: '/Notifications/MarkAllNotificationsAsRead',
    tag,
    summary: 'Mark all notifications of the inbox as read',
    description: 'Marks up to 1,000 notifications, newest first. You can safely repeat the call.',
    may: 'player',
    body: markAllAsReadRequest,
    bodyShown: { name: 'MarkAllAsReadRequest', samples: { all: { UpTo: 1201 } } },
    answer: Type.Integer({ minimum: 0, maximum: 1_000 }),
    answerShown: {
      name: 'UnreadAfterMarking',
      sample: 0,
      means: 'Remaining unread notifications of the inbox, counted up to 1,000.',
    },
    refusals: [refused('The body is not a JSON object with an UpTo.', 'malformed_json', 'invalid_request')],
  },
  async ({ caller: { player_id }, body }, { pool, signals, clock }) => {
    const written = await transaction(pool, (tx) => markAllRead(tx, { player_id, up_to: body.UpTo }, clock()));
    signals.poke(written);
    return countUnread(pool, { player_id, inboxOnly: true, now: clock() });
  },
);

function messageIdOf({ MessageId }: MarkAsReadRequest): number {
  const messageId = Number(MessageId);
  if (Number.isSafeInteger(messageId)) return messageId;
  throw new SiteRefusal('invalid_request', { message: 'MessageId must be a positive integer.' });
}

/** Marks or deletes, and signals the player's other tabs. Repeating it has no effect; 404 is for messages that do not exist. */
async function change({ pool, signals }: SiteDeps, work: (tx: PoolClient) => Promise<DoneByPlayer>): Promise<void> {
  const { outcome, signals: written } = await transaction(pool, work);
  signals.poke(written);
  if (outcome === 'unknown') throw new SiteRefusal('unknown_notification');
}
