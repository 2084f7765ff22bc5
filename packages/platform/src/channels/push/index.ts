/** Public exports of Web Push, a part of the channels; see README.md. */
export { type DeliveryState, deliveryStates, dropReasons, maxDevices } from './delivery.ts';
export { noteClick, pushedMessage } from './delivery-store.ts';
export { pushDueTimes } from './due-times.ts';
export { PushKeyUpkeep } from './key-upkeep.ts';
export {
  type DeliveryFilter,
  deliveriesOf,
  type ListedDelivery,
  listDeliveries,
  type PushHealth,
  readPushHealth,
} from './listing.ts';
export { type NewPush, queuePush } from './queue-store.ts';
export {
  type ListedPair,
  listPairs,
  maxFormerPairs,
  type Rotation,
  readUnreadable,
  rotateKeys,
} from './rotate-keys.ts';
export { PushSender } from './sender.ts';
export {
  type PostedDevice,
  type Renewed,
  renew,
  type Subscribed,
  type Subscriber,
  subscribe,
  unsubscribe,
} from './subscribe.ts';
export { type ListedDevice, listDevices } from './subscription-store.ts';
export { PushTokens } from './tokens.ts';
export { PushTransport } from './transport.ts';
export { BrandPushKeys } from './vapid.ts';
