/** Front door of Web Push within the channels; see README.md. */
export { type DeliveryState, deliveryStates, maxDevices } from './delivery.ts';
export { dropSubscriptions, protectPushes } from './drop.ts';
export { type NewPush, queuePush } from './queue-store.ts';
