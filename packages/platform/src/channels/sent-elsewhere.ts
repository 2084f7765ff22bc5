import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type TimePage, timePageSql, timePageValues } from '../database/index.ts';
import type { EmailState } from './email/index.ts';
import type { EntryState } from './lists/index.ts';

/** A message outside the lists of the site: an e-mail, an SMS, a webhook call, a list entry. */
export interface MessageElsewhere {
  message_id: number;
  channel: 'email' | 'sms' | 'webhook' | 'operator' | 'telephone' | 'post_mail';
  purpose: 'marketing' | 'service';
  campaign_id: string | null;
  state: EmailState | EntryState;
  reason: string | null;
  /** Since when it has been in that state, if that is stored. */
  state_since: Micros;
}

/**
 * Messages of a player over all channels except the site and push, by the start of their current state, newest first. Each
 * table contributes at most one page.
 */
export async function listMessagesElsewhere(pool: Pool, playerId: number, page: TimePage): Promise<MessageElsewhere[]> {
  const pages = tables.map((table) => {
    const conditions = timePageSql({ at: sinceIn(table), key: 'message_id', type: 'bigint' }, 2);
    return `(${messagesIn(table, `player_id = $1 ${conditions}`)})`;
  });
  const { rows } = await pool.query<MessageElsewhere>(
    `select * from (${pages.join(' union all ')}) m order by state_since desc, message_id desc limit $2`,
    [playerId, ...timePageValues(page)],
  );
  return rows;
}

/** The messages of a player with these ids, over all channels except the site and push. */
export async function messagesElsewhereOf(
  pool: Pool,
  playerId: number,
  messageIds: readonly number[],
): Promise<MessageElsewhere[]> {
  const condition = 'message_id = any($2::bigint[]) and player_id = $1';
  const { rows } = await pool.query<MessageElsewhere>(
    tables.map((table) => messagesIn(table, condition)).join(' union all '),
    [playerId, messageIds],
  );
  return rows;
}

interface MessageTable {
  name: string;
  /** SQL of the channel. */
  channel: string;
  /** The column with the time at which a message was sent or exported. */
  left: string;
}

const tables: readonly MessageTable[] = [
  { name: 'email_message', channel: "'email'", left: 'sent_at' },
  { name: 'called_message', channel: 'channel', left: 'sent_at' },
  { name: 'list_entry', channel: 'channel', left: 'exported_at' },
];

const sinceIn = ({ left }: MessageTable) => `coalesce(ended_at, ${left}, created_at)`;

const messagesIn = (table: MessageTable, condition: string) =>
  `select message_id, ${table.channel} as channel, purpose, campaign_id, state, reason, ${sinceIn(table)} as state_since
     from ${table.name} where ${condition}`;
