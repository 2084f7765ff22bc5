import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../database/index.ts';

/** A message that a player received or is about to receive, from any source. */
export interface OrderedMessage {
  player_id: number;
  channel: string;
  purpose: string;
  at: Micros;
}

/**
 * Returns the messages of these players on all channels that were ordered after the given time. It omits messages that were
 * withheld, were dropped before they were sent, or failed. A push also appears in the inbox, and counts as one message.
 */
export async function readOrderedMessages(
  tx: ClientBase,
  players: readonly number[],
  after: Micros,
): Promise<OrderedMessage[]> {
  if (players.length === 0) return [];
  const { rows } = await tx.query<OrderedMessage>({
    name: 'read_ordered_messages',
    text: `select player_id, channel, purpose, created_at as at from notification
            where player_id = any($1::bigint[]) and created_at > $2 and state not in ('withheld', 'dropped')
           union all
           select player_id, 'email', purpose, created_at from email_message
            where player_id = any($1::bigint[]) and created_at > $2 and state not in ('withheld', 'dropped', 'failed')
           union all
           select player_id, channel, purpose, created_at from called_message
            where player_id = any($1::bigint[]) and created_at > $2 and state not in ('withheld', 'dropped', 'failed')
           union all
           select player_id, channel, purpose, created_at from list_entry
            where player_id = any($1::bigint[]) and created_at > $2 and state not in ('withheld', 'dropped')`,
    values: [players, timestamptzText(after)],
  });
  return rows;
}
