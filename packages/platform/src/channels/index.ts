/** Front door of the channels; see README.md. */
export {
  type DisplayType,
  displayTypes,
  type NewNotification,
  type NotificationContent,
  type NotificationState,
  notificationStates,
} from './notifications/notification.ts';
export {
  type DeliveryState,
  deliveryStates,
  dropSubscriptions,
  type NewPush,
  protectPushes,
  queuePush,
} from './push/index.ts';
export { type NewSignal, type SignalKind, type SiteSignal, signalKinds } from './signals/signal.ts';
export { SignalListener } from './signals/signal-listener.ts';
export { SignalReader, type SignalReaderOptions } from './signals/signal-reader.ts';
export { SignalSender } from './signals/signal-sender.ts';
export { endedSince, readSnapshot, writeSignals } from './signals/signal-store.ts';
export { keepSeconds, SignalUpkeep } from './signals/signal-upkeep.ts';
