import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import type { DropReason } from './delivery.ts';
import type { PushContent } from './payload.ts';

/** The message that a push announces, as it stands now. */
export interface AnnouncedMessage extends PushContent {
  purpose: 'marketing' | 'service';
  state: string;
  read_at: Micros | null;
  /** Null: never. */
  expires_at: Micros | null;
}

export async function readMessage(db: ClientBase, messageId: number): Promise<AnnouncedMessage | null> {
  const { rows } = await db.query<AnnouncedMessage>({
    name: 'read_push_message',
    text: `select message_id, purpose, state, read_at, nullif(expires_at, 'infinity') as expires_at,
                  title, preview_text, cta_button_link, image_url
             from notification where message_id = $1`,
    values: [messageId],
  });
  return rows[0] ?? null;
}

/** Why a message needs no bell any more; null: it does. */
export function whyOver(message: AnnouncedMessage | null, at: Micros): DropReason | null {
  if (message === null) return 'deleted';
  if (message.expires_at !== null && message.expires_at <= at) return 'expired';
  if (message.state === 'deleted' || message.state === 'expired') return message.state;
  if (message.state !== 'live') return 'withdrawn';
  return message.read_at === null ? null : 'read';
}
