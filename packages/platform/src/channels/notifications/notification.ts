import type { Micros, NotificationRecord } from '@croupier/contracts';
import type { Channel, Purpose } from '../../gate/index.ts';

/*
 * The words of a player's messages on the site (docs/reference/interface.md, Notification record; docs/reference/decisions.md 8).
 *
 *   asked for --gate--> live ------> deleted    by the player
 *       |                 |--------> withdrawn  by staff, a campaign's recall, or because the player is protected now
 *       |                 '--------> expired
 *       |--gate--> held --gate--> live, withheld
 *       |            '-----------> dropped      recalled, or expired, before it was shown
 *       '--gate--> withheld
 *
 * Shown, read, clicked and closed are no states: they are times of a live one (activity.ts).
 */
export const notificationStates = ['held', 'withheld', 'dropped', 'live', 'deleted', 'withdrawn', 'expired'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** An inbox message that arrives live is announced by a hint (push), or only counted (silent). */
export const displayTypes = ['silent', 'push'] as const;
export type DisplayType = (typeof displayTypes)[number];

/** push: it stands in the inbox, and is also sent to the player's subscribed devices. */
export const messageChannels = ['site', 'push'] as const satisfies readonly Channel[];
export type MessageChannel = (typeof messageChannels)[number];

export const messagePurposes = ['marketing', 'service'] as const satisfies readonly Purpose[];
export type MessagePurpose = (typeof messagePurposes)[number];

/** What a player shall see. HTML is sanitised when it is stored; `data` passes through untouched. Empty: there is none. */
export interface NotificationContent {
  event: NotificationRecord['Event'];
  display_type: DisplayType;
  title: string;
  /** HTML. */
  message: string;
  preview_text: string;
  /** HTML. */
  footer_text: string;
  /** An object as JSON text: no reading and writing of ours changes an order of keys, or rounds a number. */
  data: string;
  cta_button_link: string;
  cta_button_text: string;
  cta_button2_link: string;
  cta_button2_text: string;
  image_url: string;
}

/** A message that is asked for. Created in the transaction of its cause; the gate is asked in the same one. */
export interface NewNotification extends NotificationContent {
  brand_id: number;
  player_id: number;
  channel: MessageChannel;
  purpose: MessagePurpose;
  /** Null: never. Told in whole seconds, so cut to them. */
  expires_at: Micros | null;
  /** What recalls find it by. */
  campaign_id: string | null;
  /** A repeated request with the same key makes no second message. Null: none. */
  request_key: string | null;
  created_by: string;
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
  /** Why it waits, or why it is at its end. */
  reason: string | null;
  state_since: Micros;
  decision_id: number | null;
  live_at: Micros | null;
  /** What the player did, each the first time: see activity.ts. */
  shown_at: Micros | null;
  read_at: Micros | null;
  clicked_at: Micros | null;
  closed_at: Micros | null;
  deleted_at: Micros | null;
  ended_by: string | null;
  due_at: Micros | null;
}
