import { createHash } from 'node:crypto';
import type { BodyOf, MessageReport, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { noteReport } from './store.ts';

/**
 * A report that the platform itself creates: from the server's answer to an e-mail, or from the result of a call that a person
 * reported.
 */
export interface OwnReport {
  brand_id: number;
  player_id: number;
  /** Null if the message is not known. */
  message_id: number | null;
  campaign_id: string | null;
  channel: string;
  what: MessageReport;
  /** The source: `smtp`, `twilio`, `staff`. */
  provider: string;
  reason?: string;
  link?: string;
  detail?: string | null;
  /** Distinguishes several reports of one kind about one message. Omit if there is only one. */
  place?: string;
}

const longestDetail = 200;

/**
 * Creates an event from a report, in the transaction of its cause. A worker writes it to the ledger, so the transaction does
 * not wait for that. A repeated report, or a report about an erased player, has no effect.
 */
export async function storeReport(tx: ClientBase | Pool, report: OwnReport, at: Micros): Promise<void> {
  const { brand_id, player_id, message_id, campaign_id, channel, what, provider, reason, link, detail, place } = report;
  const user_id = await userIdOf(tx, player_id);
  if (user_id === null) return;
  const key = [provider, message_id, what, place].filter((part) => part != null).join(':');
  const body: BodyOf<'message_event'> = {
    user_id,
    timestamp: timestamptzText(at),
    event_id: key,
    what,
    channel,
    provider,
    ...(message_id !== null && { message_id: String(message_id) }),
    ...(campaign_id !== null && campaign_id.trim() !== '' && { campaign_id: campaign_id.slice(0, 255) }),
    ...(reason !== undefined && { reason }),
    ...(link !== undefined && { link }),
    ...(detail != null && detail !== '' && { detail: detail.slice(0, longestDetail) }),
  };
  const report_key = createHash('sha256').update(key).digest();
  await noteReport(tx, { player_id, report_key, brand_id, body, heard_at: at });
}

async function userIdOf(tx: ClientBase | Pool, playerId: number): Promise<string | null> {
  const { rows } = await tx.query<{ user_id: string }>({
    name: 'user_id_of_reported_player',
    text: 'select user_id from player where player_id = $1 and erased_at is null',
    values: [playerId],
  });
  return rows[0]?.user_id ?? null;
}
