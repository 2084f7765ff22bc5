import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { forgetContacts } from '../../gate/index.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { writeSignals } from '../signals/signal-store.ts';
import type { NotificationEndReason } from './notification.ts';

/** Why messages end, and who ends them. */
export interface Ending {
  reason: Exclude<NotificationEndReason, 'expired'>;
  /** Null if a rule ended them, not a person. */
  by: string | null;
}

export interface Ended {
  withdrawn: number;
  dropped: number;
  /** Signals that the caller passes to `SignalSender.poke` after the commit. */
  signals: SiteSignal[];
}

/**
 * Removes live messages from their inboxes and drops held ones. Messages that have ended do not change. Expired messages do not change
 * either: they are not shown or counted any more. The caller has locked the rows, in the order of their ids.
 */
export async function endMessages(
  tx: PoolClient,
  messageIds: readonly number[],
  { reason, by }: Ending,
  at: Micros,
): Promise<Ended> {
  if (messageIds.length === 0) return { withdrawn: 0, dropped: 0, signals: [] };
  const { rows } = await tx.query<{ message_id: number; brand_id: number; player_id: number; state: string }>({
    name: 'end_notifications',
    text: `update notification n
              set state = case when n.state = 'held' then 'dropped' when n.expires_at > $4 then 'withdrawn' else 'expired' end,
                  reason = case when n.state = 'held' or n.expires_at > $4 then $2 end,
                  ended_by = case when n.state = 'held' or n.expires_at > $4 then $3 end,
                  state_since = case when n.state = 'held' then $4 else least($4, n.expires_at) end, due_at = null
            where n.message_id = any($1::bigint[]) and n.state in ('live', 'held')
           returning n.message_id, n.brand_id, n.player_id, n.state`,
    values: [messageIds, reason, by, timestamptzText(at)],
  });
  const dropped = rows.filter(({ state }) => state === 'dropped');
  await forgetContacts(
    tx,
    dropped.map(({ message_id }) => ({ kind: 'message', id: String(message_id) })),
  );
  const withdrawn = rows.filter(({ state }) => state === 'withdrawn');
  const signals = await writeSignals(
    tx,
    withdrawn.map(({ message_id, brand_id, player_id }) => ({ message_id, brand_id, player_id, kind: 'withdrawn' })),
  );
  return { withdrawn: withdrawn.length, dropped: dropped.length, signals };
}
