/** Public exports of the messages on the site; see README.md. */

export { type MessageActivity, recordActivities } from './activity.ts';
export { type DoneByPlayer, deleteForPlayer, markAllRead, markRead } from './by-player.ts';
export { contentLimits } from './content.ts';
export { readMessageCounts } from './counts.ts';
export { type CreatedNotification, MessageKeyReused } from './create.ts';
export { notificationDueTimes } from './due-times.ts';
export { NotificationKeeper } from './keeper.ts';
export {
  countHeld,
  type ListedNotification,
  listNotifications,
  type NotificationFilter,
  notificationsOf,
  playerNotifications,
  readNotification,
} from './listing.ts';
export {
  type DisplayType,
  displayTypes,
  type MessageChannel,
  type MessagePurpose,
  messageChannels,
  messagePurposes,
  type NewNotification,
  type NotificationContent,
  type NotificationReason,
  type NotificationRow,
  type NotificationState,
  notificationEndReasons,
  notificationStates,
} from './notification.ts';
export { countRecallable, listRecalls, type Recall, type Recallable, readRecall } from './recall-store.ts';
export { exactObject, neverExpires, recordOf, type SiteRecord, siteTime } from './record.ts';
export {
  countUnread,
  getForPlayer,
  getManyForPlayers,
  largestList,
  listForPlayer,
  mostUnreadCounted,
  type SiteListing,
} from './site-store.ts';
export { UnfitNotification } from './unfit.ts';
