import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { endsMessage, type MessageHold, messageHold } from '../message-hold.ts';
import { notBeingRecalled } from '../notifications/columns.ts';
import { type AboutProducts, keepsQuietHours, keyOfNotification, productsOf } from '../products.ts';
import type { DropReason } from './delivery.ts';
import type { PushContent } from './payload.ts';

/** The message that a push announces, in its current state. */
export interface AnnouncedMessage extends PushContent, AboutProducts {
  channel: string;
  purpose: 'marketing' | 'service';
  state: string;
  /** Set if its campaign was paused or stopped, or its bulk action cancelled. */
  hold: MessageHold | null;
  keepsQuietHours: boolean;
  read_at: Micros | null;
  /** Null if it never expires. */
  expires_at: Micros | null;
}

export async function readMessage(db: ClientBase | Pool, messageId: number): Promise<AnnouncedMessage | null> {
  const { rows } = await db.query<AnnouncedMessage>({
    name: 'read_push_message',
    text: `select n.message_id, n.channel, n.purpose, n.read_at, nullif(n.expires_at, 'infinity') as expires_at,
                  case when n.state <> 'live' or ${notBeingRecalled} then n.state else 'withdrawn' end as state,
                  n.title, n.preview_text, n.cta_button_link, n.image_url,
                  ${messageHold}, ${productsOf(keyOfNotification)}, ${keepsQuietHours}
             from notification n cross join lateral (select n.*) q where n.message_id = $1`,
    values: [messageId],
  });
  return rows[0] ?? null;
}

/** Why a message no longer needs an announcement; null if it does. */
export function whyOver(message: AnnouncedMessage | null, at: Micros): DropReason | null {
  if (message === null) return 'deleted';
  if (message.expires_at !== null && message.expires_at <= at) return 'expired';
  if (message.state === 'deleted' || message.state === 'expired') return message.state;
  if (message.state !== 'live') return 'withdrawn';
  if (endsMessage(message.hold)) return message.hold;
  return message.read_at === null ? null : 'read';
}
