import type { Micros } from '@croupier/contracts';

/*
 * One message on its way to one device:
 *
 *            .------ retry -------.
 *            v                    |
 *   waiting --gate, still live--> sending --answer--> sent
 *      |                            |  |
 *      |                            |  '-- refused for good --> failed
 *      |                            '----- nobody knows ------> unknown
 *      '-- not wanted, not allowed, too late ---------------> dropped
 *
 * A push goes out at most once unless the push service said that it did not take it (docs/decisions/1150). When a call is cut, runs
 * into its time limit, or its worker dies, nobody knows; then nothing is repeated, because the message stands in the inbox
 * anyway and a push is only its bell.
 */
export const deliveryStates = ['waiting', 'sending', 'sent', 'unknown', 'dropped', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why it was not sent, or not wanted any more. The gate's own reasons (excluded, blocked, no_consent, ...) come beside them. */
export const dropReasons = [
  /** The player had subscribed no device when the message came. */
  'no_device',
  /** The brand has switched push off. */
  'push_off',
  /** Removed by the player, or by the limit of devices, before it was sent. */
  'unsubscribed',
  'logout',
  'excluded',
  /** Another player uses the device now. */
  'moved',
  /** The push service said that the subscription is over (404, 410). */
  'gone',
  /** The brand's pair of keys that the device subscribed with was revoked. */
  'key_revoked',
  /** The message was read, deleted, withdrawn or expired before. */
  'read',
  'deleted',
  'withdrawn',
  'expired',
] as const;
export type DropReason = (typeof dropReasons)[number];

/** Two days would ring for news of the day before yesterday; and what a push service holds cannot be taken back (see `pushLife`). */
const hour: Micros = 3_600_000_000;
/**
 * How long a push is worth sending, and how long a push service may hold it for a device that is off. Nobody can take it back from
 * there when the player is excluded meanwhile: so no longer than the facts that allowed it count (docs/reference/decisions.md 7, 24 h).
 */
export const pushLife: Micros = 24 * hour;

/** Devices of one player: beyond, the one that was seen least recently goes. */
export const maxDevices = 10;
