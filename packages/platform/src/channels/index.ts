/** Front door of the channels; see README.md. */
export {
  type DisplayType,
  displayTypes,
  type NewNotification,
  type NotificationContent,
  type NotificationState,
  notificationStates,
} from './notifications/notification.ts';
export { type NewSignal, type SignalKind, type SiteSignal, signalKinds } from './signals/signal.ts';
