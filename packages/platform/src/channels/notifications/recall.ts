import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { type Ended, endMessages } from './ending-store.ts';
import type { NotificationState } from './notification.ts';
import { insertRecall, lockNextRecalled, lockOpenRecall, type Recall, updateRecall } from './recall-store.ts';

/*
 * Recalls: messages leave every inbox, read or not, with the commit of the order.
 *
 * A campaign may have 100,000 of them, some ten seconds of work. So its recall is a row: from its commit on no statement of the site
 * shows what it takes (columns.ts), and the messages follow in portions, each a transaction that counts: whoever dies between two
 * leaves nothing half done or counted twice, and another process goes on.
 *
 *     held ----> live ----> done
 *
 * First those that are held, then those that are live: one that the gate allows meanwhile moves from the first to the second, never
 * back, so none slips through between the two. What is made after the recall began is not its business.
 */
const portion = 1_000;

/** Recalls one message. @returns null when the brand has none of that id; `recalled` false: it was at its end already. */
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

/** Orders the recall of a campaign's messages; `advanceRecall` does it. */
export function orderRecall(
  tx: PoolClient,
  order: Pick<Recall, 'brand_id' | 'campaign_id' | 'requested_at' | 'requested_by'>,
): Promise<Recall> {
  return insertRecall(tx, order);
}

/**
 * The next portion of a recall.
 *
 * @param recallId null: of any that is open
 * @returns null when there is none, or another process is at it.
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

/** Pure: where a recall stands after a portion. */
function after(recall: Recall, { ids, ended }: { ids: readonly number[]; ended: Ended }, at: Micros): Recall {
  const withdrawn = recall.withdrawn + ended.withdrawn;
  const dropped = recall.dropped + ended.dropped;
  const counted = { ...recall, withdrawn, dropped };
  if (ids.length === portion) return { ...counted, position: ids.at(-1) ?? recall.position };
  return recall.phase === 'held'
    ? { ...counted, phase: 'live', position: 0 }
    : { ...counted, phase: 'done', finished_at: at };
}
