import type { Micros } from '@croupier/contracts';

/*
 * The states of one message on its way to one device:
 *
 *            .------ retry -------.
 *            v                    |
 *   waiting --gate, still live--> sending --answer--> sent
 *      |                            |  |
 *      |                            |  '-- refused for good --> failed
 *      |                            '-- outcome not known ----> unknown
 *      '-- not wanted, not allowed, too late ---------------> dropped
 *
 * A push is sent at most once, unless the push service says that it did not accept it (docs/decisions/1150). If a call is cut,
 * times out, or its worker dies, the outcome is unknown. Then nothing is repeated, because the message is in the inbox anyway
 * and a push only announces it.
 */
export const deliveryStates = ['waiting', 'sending', 'sent', 'unknown', 'dropped', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why it was not sent, or is no longer wanted. The gate's own reasons (excluded, blocked, no_consent, ...) are also possible. */
export const dropReasons = [
  /** The player had no subscribed device when the message arrived. */
  'no_device',
  /** The brand has switched push off. */
  'push_off',
  /** The device was removed before the push was sent, by the player or because of the limit of devices. */
  'unsubscribed',
  'logout',
  'excluded',
  /** Another player now uses the device. */
  'moved',
  /** The push service answered that the subscription has ended (404, 410). */
  'gone',
  /** The device subscribed with a pair of keys that the brand has revoked. */
  'key_revoked',
  /** The message was read, deleted, withdrawn or expired before the push was sent. */
  'read',
  'deleted',
  'withdrawn',
  'expired',
  /** The campaign that ordered the message was stopped before the push was sent. */
  'campaign_stopped',
  /** The bulk action that ordered the message was cancelled before the push was sent. */
  'bulk_cancelled',
] as const;
export type DropReason = (typeof dropReasons)[number];

const hour: Micros = 3_600_000_000;
/**
 * How long a push may be sent, and how long a push service may hold it for a device that is off: 24 hours. A longer life would
 * announce old news. A push cannot be recalled from a push service if the player is excluded in the meantime, so it must not
 * outlive the facts that allowed it (docs/reference/decisions.md 7, 24 h).
 */
export const pushLife: Micros = 24 * hour;

/** Maximum number of devices per player. Above it, the least recently seen device is removed. */
export const maxDevices = 10;
