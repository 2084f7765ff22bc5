import type { Micros, NotificationRecord } from '@croupier/contracts';
import type { Channel, Purpose } from '../../gate/index.ts';

/*
 * The words of a player's messages on the site (interface.md, Notification record; decisions.md 8).
 *
 *   asked for --gate--> live ------> deleted    by the player
 *       |                 |--------> withdrawn  by staff, a campaign's recall, or because the player is protected now
 *       |                 `--------> expired
 *       |--gate--> held --gate--> live, withheld
 *       |            `-----------> dropped      its player is protected now, or it expired meanwhile
 *       `--gate--> withheld
 *
 * Read or unread is no state: it is `read_at` of a live one.
 */
export const notificationStates = ['held', 'withheld', 'dropped', 'live', 'deleted', 'withdrawn', 'expired'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** An inbox message that arrives live is announced by a hint (push), or only counted (silent). */
export const displayTypes = ['silent', 'push'] as const;
export type DisplayType = (typeof displayTypes)[number];

/** What a player shall see. HTML is sanitised when it is stored; `data` passes through untouched. */
export interface NotificationContent {
  event: NotificationRecord['Event'];
  display_type: DisplayType;
  title: string;
  /** HTML. */
  message: string;
  preview_text: string;
  /** HTML. */
  footer_text: string;
  data: Record<string, unknown>;
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
  /** push: it stands in the inbox, and is also sent to the player's subscribed devices. */
  channel: Extract<Channel, 'site' | 'push'>;
  purpose: Exclude<Purpose, 'bonus'>;
  /** Null: never. */
  expires_at: Micros | null;
  /** What recalls find it by. */
  campaign_id: string | null;
  /** A repeated request with the same key makes no second message. Null: none. */
  request_key: string | null;
  created_by: string;
}
