import type { Micros, NotificationRecord } from '@croupier/contracts';
import type { Channel, HeldReason, Purpose, RulingReason, WithheldReason } from '../../gate/index.ts';

/*
 * Terms and states of a player's messages on the site (docs/reference/interface.md, Notification record;
 * docs/reference/decisions.md 8).
 *
 *   requested --gate--> live ------> deleted    by the player
 *       |                 |--------> withdrawn  by staff, a campaign's recall, or because the player is now protected
 *       |                 '--------> expired
 *       |--gate--> held --gate--> live, withheld
 *       |            '-----------> dropped      recalled, cancelled, or expired, before it was shown
 *       '--gate--> withheld
 *
 * Shown, read, clicked and closed are not states: they are times of a live message (activity.ts).
 */
export const notificationStates = ['held', 'withheld', 'dropped', 'live', 'deleted', 'withdrawn', 'expired'] as const;
export type NotificationState = (typeof notificationStates)[number];

/**
 * Why messages end that the gate allowed or held. All other reasons are those of the gate and of the rules of contact.
 *
 * - expired: a held message, before it was shown
 * - excluded, blocked, no_consent: unread marketing of a player who is now protected
 */
export const notificationEndReasons = [
  'expired',
  'recalled',
  'campaign_recalled',
  'bulk_cancelled',
  'excluded',
  'blocked',
  'no_consent',
] as const;
export type NotificationEndReason = (typeof notificationEndReasons)[number];

/** Every reason that a message can have: why it waits, was withheld, dropped or withdrawn. */
export type NotificationReason = NotificationEndReason | WithheldReason | HeldReason | RulingReason;

/** Whether a new inbox message is announced by a popup (push), or only counted (silent). */
export const displayTypes = ['silent', 'push'] as const;
export type DisplayType = (typeof displayTypes)[number];

/** push: the message appears in the inbox, and is also sent to the player's subscribed devices. */
export const messageChannels = ['site', 'push'] as const satisfies readonly Channel[];
export type MessageChannel = (typeof messageChannels)[number];

export const messagePurposes = ['marketing', 'service'] as const satisfies readonly Purpose[];
export type MessagePurpose = (typeof messagePurposes)[number];

/**
 * What the player sees. HTML is sanitized before it is stored; `data` is kept unchanged. Empty means that a field is not used.
 */
export interface NotificationContent {
  event: NotificationRecord['Event'];
  display_type: DisplayType;
  title: string;
  /** HTML. */
  message: string;
  preview_text: string;
  /** HTML. */
  footer_text: string;
  /** An object as JSON text, so that the platform never changes the order of keys, or rounds a number. */
  data: string;
  cta_button_link: string;
  cta_button_text: string;
  cta_button2_link: string;
  cta_button2_text: string;
  image_url: string;
}

/** A request for a message. It is created in the transaction of its cause, which also asks the gate. */
export interface NewNotification extends NotificationContent {
  brand_id: number;
  player_id: number;
  channel: MessageChannel;
  purpose: MessagePurpose;
  /** Null if it never expires. Cut to whole seconds, as in the interface. */
  expires_at: Micros | null;
  /** Used by recalls to find the message. */
  campaign_id: string | null;
  /** A repeated request with the same key creates no second message. Null: no key. */
  request_key: string | null;
  created_by: string;
  /** As in `MessageTerms`. */
  allowed_by?: number | undefined;
}

/** A message as it is stored. */
export interface NotificationRow extends NotificationContent {
  message_id: number;
  brand_id: number;
  player_id: number;
  channel: MessageChannel;
  purpose: MessagePurpose;
  campaign_id: string | null;
  created_at: Micros;
  created_by: string;
  expires_at: Micros | null;
  state: NotificationState;
  /** Why it waits, or why it ended. */
  reason: string | null;
  state_since: Micros;
  decision_id: number | null;
  live_at: Micros | null;
  /** The first time of each action of the player: see activity.ts. */
  shown_at: Micros | null;
  read_at: Micros | null;
  clicked_at: Micros | null;
  closed_at: Micros | null;
  deleted_at: Micros | null;
  ended_by: string | null;
  due_at: Micros | null;
}
