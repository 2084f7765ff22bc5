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
 * Returns the messages of these players on all channels that were sent after the given time, or that still wait to be sent. It omits
 * messages that were withheld, were dropped before they were sent, or failed. A push also appears in the inbox, and counts as one message.
 *
 * A message counts from the time when it was sent, because a provider may have been away for hours after it was ordered. A message that
 * waits may be sent at any moment, so it counts as sent now.
 */
export async function readOrderedMessages(
  tx: ClientBase,
  players: readonly number[],
  { after, now }: { after: Micros; now: Micros },
): Promise<OrderedMessage[]> {
  if (players.length === 0) return [];
  const { rows } = await tx.query<OrderedMessage>({
    name: 'read_ordered_messages',
    text: `select player_id, channel, purpose, at
             from (${sources.map(sourceOf).join(' union all ')}) m where at > $2`,
    values: [players, timestamptzText(after), timestamptzText(now)],
  });
  return rows;
}

interface Source {
  table: string;
  channel: string;
  /** SQL that is true while the message waits to be sent. */
  waits: string;
  /** The column with the time when it was sent. */
  sent: string;
  /** The states of messages that are never sent. */
  omitted: readonly string[];
}

const sources: readonly Source[] = [
  {
    table: 'notification',
    channel: 'channel',
    waits: `state = 'held'`,
    sent: 'live_at',
    omitted: ['withheld', 'dropped'],
  },
  {
    table: 'email_message',
    channel: `'email'`,
    waits: `state in ('waiting', 'sending')`,
    sent: 'sent_at',
    omitted: ['withheld', 'dropped', 'failed'],
  },
  {
    table: 'called_message',
    channel: 'channel',
    waits: `state in ('waiting', 'sending')`,
    sent: 'sent_at',
    omitted: ['withheld', 'dropped', 'failed'],
  },
  {
    table: 'list_entry',
    channel: 'channel',
    waits: `state = 'waiting'`,
    sent: 'exported_at',
    omitted: ['withheld', 'dropped'],
  },
];

function sourceOf({ table, channel, waits, sent, omitted }: Source): string {
  return `select player_id, ${channel} as channel, purpose,
                 case when ${waits} then $3::timestamptz else coalesce(${sent}, created_at) end as at
            from ${table}
           where player_id = any($1::bigint[]) and state not in (${omitted.map((state) => `'${state}'`).join(', ')})`;
}
