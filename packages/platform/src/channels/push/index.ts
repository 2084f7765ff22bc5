/** Front door of Web Push within the channels; see README.md. */
export { type DeliveryState, deliveryStates, maxDevices } from './delivery.ts';
export { noteClick } from './delivery-store.ts';
export { dropAtLogout, dropSubscriptions, protectPushes } from './drop.ts';
export {
  type DeliveryFilter,
  deliveriesOf,
  type ListedDelivery,
  listDeliveries,
  type PushHealth,
  readPushHealth,
} from './listing.ts';
export { type NewPush, queuePush } from './queue-store.ts';
export { PushSender } from './sender.ts';
export { type PostedDevice, renew, subscribe, unsubscribe } from './subscribe.ts';
export { type ListedDevice, listDevices } from './subscription-store.ts';
export { PushTokens } from './tokens.ts';
export { PushTransport } from './transport.ts';
export { BrandPushKeys } from './vapid.ts';

/** For the watch over the database's clock. */
export const pushDueTimes = [{ table: 'push_delivery', column: 'due_at' }] as const;
