import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { Unsent, UnsentEnding } from '../channel.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { readUnsent } from '../unsent.ts';
import { type Ended, endMessages } from './ending-store.ts';
import type { NotificationState } from './notification.ts';
import { insertRecall, lockNextRecalled, lockOpenRecall, type Recall, updateRecall } from './recall-store.ts';

/*
 * Recalls: messages disappear from every inbox, read or not, when the order is committed.
 *
 * A campaign may have 100,000 messages, and recalling them takes about ten seconds. So a recall is stored as a row. As soon as the
 * row is committed, no statement of the site shows the messages (columns.ts). The messages themselves are ended in portions. Each
 * portion is one transaction, which also counts it. So after a crash, another process continues, and no message is counted twice.
 *
 *     held ----> live ----> done
 *
 * Held messages come first, then live ones. A message that the gate allows in the meantime moves from the first to the second,
 * never back, so none is missed. Messages created after the recall began are not included.
 */
const portion = 1_000;

/** Recalls one message. @returns null if the brand has no message with this id; `recalled` is false if it had already ended */
export async function recallMessage(
  tx: PoolClient,
  { brand_id, message_id, by }: { brand_id: number; message_id: number; by: string },
  at: Micros,
): Promise<{ state: NotificationState; recalled: boolean; signals: SiteSignal[] } | null> {
  const { rows } = await tx.query<{ state: NotificationState }>({
    name: 'lock_notification',
    text: 'select state from notification where message_id = $1 and brand_id = $2 for update',
    values: [message_id, brand_id],
  });
  const [found] = rows;
  if (found === undefined) return null;
  const { withdrawn, dropped, signals } = await endMessages(tx, [message_id], { reason: 'recalled', by }, at);
  const asItWas = found.state === 'live' ? 'expired' : found.state;
  const state = withdrawn > 0 ? 'withdrawn' : dropped > 0 ? 'dropped' : asItWas;
  return { state, recalled: withdrawn + dropped > 0, signals };
}

/** Drops those of these messages that are held. A message in the inbox has reached its player, and stays. */
export async function endUnsentMessages(
  tx: PoolClient,
  messageIds: readonly number[],
  ending: UnsentEnding,
  at: Micros,
): Promise<Unsent> {
  const { rows } = await tx.query<{ message_id: number }>({
    name: 'lock_unsent_notifications',
    text: `select message_id from notification where message_id = any($1::bigint[]) and state = 'held'
            order by message_id for update`,
    values: [messageIds],
  });
  const held = rows.map(({ message_id }) => message_id);
  await endMessages(tx, held, ending, at);
  return readUnsent(tx, 'notification', messageIds, ending);
}

/** Orders the recall of a campaign's messages; `advanceRecall` carries it out. */
export function orderRecall(
  tx: PoolClient,
  order: Pick<Recall, 'brand_id' | 'campaign_id' | 'requested_at' | 'requested_by'>,
): Promise<Recall> {
  return insertRecall(tx, order);
}

/**
 * Processes the next portion of a recall.
 *
 * @param recallId null for any open recall
 * @returns null if there is none, or another process is working on it
 */
export async function advanceRecall(
  { pool, clock }: { pool: Pool; clock: Clock },
  recallId: number | null = null,
): Promise<{ recall: Recall; signals: SiteSignal[] } | null> {
  return transaction(pool, async (tx) => {
    const recall = await lockOpenRecall(tx, recallId);
    if (recall === null) return null;
    const ids = await lockNextRecalled(tx, recall, portion);
    const at = clock();
    const ending = { reason: 'campaign_recalled', by: recall.requested_by } as const;
    const ended = await endMessages(tx, ids, ending, at);
    const next = after(recall, { ids, ended }, at);
    await updateRecall(tx, next);
    return { recall: next, signals: ended.signals };
  });
}

/** The state of a recall after a portion. Pure. */
function after(recall: Recall, { ids, ended }: { ids: readonly number[]; ended: Ended }, at: Micros): Recall {
  const withdrawn = recall.withdrawn + ended.withdrawn;
  const dropped = recall.dropped + ended.dropped;
  const counted = { ...recall, withdrawn, dropped };
  if (ids.length === portion) return { ...counted, position: ids.at(-1) ?? recall.position };
  return recall.phase === 'held'
    ? { ...counted, phase: 'live', position: 0 }
    : { ...counted, phase: 'done', finished_at: at };
}
