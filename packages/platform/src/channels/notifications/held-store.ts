import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { databaseTime, timestamptzText } from '../../database/index.ts';
import { bulkCancelled } from '../message-hold.ts';
import { type AboutProducts, keepsQuietHours, keyOfNotification, productsOf } from '../products.ts';
import { notificationColumns } from './columns.ts';
import type { NotificationReason, NotificationRow, NotificationState } from './notification.ts';

/** SQL statements on messages that are held until the gate can decide, or until they expire. */

export interface HeldRow extends NotificationRow, AboutProducts {
  /** Set if its bulk action was cancelled. */
  cancelled: 'bulk_cancelled' | null;
  keepsQuietHours: boolean;
}

/**
 * Locks due rows, oldest first, and skips rows that another worker has locked. The lock is the claim: it ends with its process.
 *
 * They need not be locked in the order of their ids: a statement that skips locked rows never waits, so it cannot deadlock.
 */
export async function lockDueHeld(tx: ClientBase, limit: number): Promise<HeldRow[]> {
  const { rows } = await tx.query<HeldRow>({
    name: 'lock_held_notifications',
    text: `select ${notificationColumns}, ${productsOf(keyOfNotification)}, ${bulkCancelled} as cancelled, ${keepsQuietHours}
             from notification n cross join lateral (select n.*) q
            where n.state = 'held' and n.due_at <= now() order by n.due_at limit $1 for update of n skip locked`,
    values: [limit],
  });
  return rows;
}

export interface HeldResult {
  message_id: number;
  state: Extract<NotificationState, 'held' | 'live' | 'withheld' | 'dropped'>;
  reason: NotificationReason | null;
  decision_id: number | null;
  /** For a message that is still held. */
  ask_again_ms: number | null;
}

export async function settleHeld(tx: ClientBase, results: readonly HeldResult[], at: Micros): Promise<void> {
  if (results.length === 0) return;
  await tx.query({
    name: 'settle_held_notifications',
    text: `update notification n
              set state = r.state, reason = r.reason, decision_id = coalesce(r.decision_id, n.decision_id),
                  state_since = case when r.state = 'held' then n.state_since else $2::timestamptz end,
                  live_at = case when r.state = 'live' then $2::timestamptz end,
                  due_at = case when r.state = 'held' then $3::timestamptz + r.ask_again_ms * interval '1 millisecond' end
             from jsonb_to_recordset($1::jsonb)
                    as r (message_id bigint, state text, reason text, decision_id bigint, ask_again_ms bigint)
            where n.message_id = r.message_id`,
    values: [JSON.stringify(results), timestamptzText(at), timestamptzText(await databaseTime(tx))],
  });
}

/** New facts about these players are known: the gate decides again immediately on their held messages. */
export async function makeHeldDue(tx: ClientBase, playerIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'make_held_notifications_due',
    text: `update notification n set due_at = $2
             from (select message_id from notification where player_id = any($1::bigint[]) and state = 'held' and due_at > $2
                    order by message_id for update skip locked) h
            where n.message_id = h.message_id`,
    values: [playerIds, timestamptzText(await databaseTime(tx))],
  });
}

/** Postpones a message that caused an error. */
export async function postponeHeld(pool: Pool, messageId: number, waitMs: number): Promise<void> {
  await pool.query(
    `update notification set due_at = $3::timestamptz + $2::int * interval '1 millisecond'
      where message_id = $1 and state = 'held'`,
    [messageId, waitMs, timestamptzText(await databaseTime(pool))],
  );
}
