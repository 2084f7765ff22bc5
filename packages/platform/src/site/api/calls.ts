import { authorizeChannel, authorizeChannelOfBrand } from '../live/authorize-channel.ts';
import { trackEvent } from '../player/event-calls.ts';
import { getProfile, setOneConsent } from '../player/profile-calls.ts';
import { claimOneReward, listPendingRewards } from '../player/reward-calls.ts';
import { pushClicked } from '../push/click-call.ts';
import { getPush, renewPush, subscribeToPush, unsubscribeFromPush } from '../push/device-calls.ts';
import type { SiteCall } from './endpoint.ts';
import { reportMessageActivity } from './message-activity.ts';
import * as notifications from './notifications.ts';
import { loginAuthToken, logout } from './session-calls.ts';

/** Every call below /site/<brand>, in the order of the document: these are served and documented. */
export const siteCalls: readonly SiteCall[] = [
  loginAuthToken,
  logout,
  notifications.listNotifications,
  notifications.countUnreadNotifications,
  notifications.getNotification,
  notifications.deleteNotification,
  notifications.markNotificationAsRead,
  notifications.markAllNotificationsAsRead,
  reportMessageActivity,
  authorizeChannel,
  authorizeChannelOfBrand,
  trackEvent,
  listPendingRewards,
  claimOneReward,
  getProfile,
  setOneConsent,
  getPush,
  subscribeToPush,
  unsubscribeFromPush,
  renewPush,
  pushClicked,
];
