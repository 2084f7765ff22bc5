import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { isUnsettled } from '../../gate/index.ts';
import { storeSiteReports } from '../reports/store-site-reports.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { writeSignals } from '../signals/signal-store.ts';
import { notBeingRecalled, notTakenBack, notWaiting } from './columns.ts';
import { mostUnreadCounted, shelvesOf } from './site-store.ts';

/*
 * Actions of a player on a message: reading and deleting (docs/reference/interface.md, Notification lifecycle).
 * Repeating an action has no effect, so a request that is repeated after a lost answer gets the same answer
 * (docs/reference/decisions.md 8). For a message that expired while it was on the screen, the actions succeed without
 * an effect, because the player pressed a visible button.
 */

/** unknown: the player has no such message, or it was removed. `signals`: for `SignalSender.poke` after the commit. */
export interface DoneByPlayer {
  outcome: 'done' | 'unknown';
  signals: SiteSignal[];
}

/** A change of one message: an SQL condition for the messages to which it applies, and its effect. */
interface Change {
  name: string;
  kind: 'read' | 'deleted';
  /** States in which there is nothing left to do. */
  doneIn: string;
  isOpen: string;
  set: string;
}

const reading: Change = {
  name: 'mark_notification_read',
  kind: 'read',
  doneIn: `'expired'`,
  isOpen: 'seen.read_at is null',
  set: 'read_at = $3',
};

const deleting: Change = {
  name: 'delete_notification',
  kind: 'deleted',
  doneIn: `'expired', 'deleted'`,
  isOpen: 'true',
  set: `state = 'deleted', reason = null, state_since = $3`,
};

export function markRead(tx: PoolClient, player_id: number, message_id: number, at: Micros): Promise<DoneByPlayer> {
  return change(tx, reading, { player_id, message_id }, at);
}

export function deleteForPlayer(
  tx: PoolClient,
  player_id: number,
  message_id: number,
  at: Micros,
): Promise<DoneByPlayer> {
  return change(tx, deleting, { player_id, message_id }, at);
}

/** Maximum number of signals for single messages per call. If a call changes more messages, the player's pages reload the list. */
const mostSingleSignals = 20;

/**
 * Marks the unread messages of the inbox as read, newest first. Messages that are not shown to the player at this moment stay
 * unread.
 *
 * @param up_to newer messages stay unread
 * @returns signals for `SignalSender.poke` after the commit. At most `mostUnreadCounted` messages are marked per call.
 */
export async function markAllRead(
  tx: PoolClient,
  { player_id, up_to }: { player_id: number; up_to: number },
  at: Micros,
): Promise<SiteSignal[]> {
  const { rows } = await tx.query<{ message_id: number; brand_id: number }>({
    name: 'mark_notifications_read',
    text: `with unread as (
             select n.message_id from notification n
              where n.player_id = $1 and n.state = 'live' and n.shelf = any ($2::smallint[]) and -n.message_id >= $3::bigint
                and n.expires_at > $4 and ${notBeingRecalled} and ${notTakenBack('$1')}
                and ${notWaiting(isUnsettled('$1'))}
              order by -n.message_id limit $5 for update of n
           )
           update notification n set read_at = $4 from unread
            where n.message_id = unread.message_id and n.read_at is null
           returning n.message_id, n.brand_id`,
    values: [
      player_id,
      shelvesOf({ unreadOnly: true, inboxOnly: true }),
      -up_to,
      timestamptzText(at),
      mostUnreadCounted,
    ],
  });
  const [first] = rows;
  if (first === undefined) return [];
  const message_ids = rows.map((row) => row.message_id);
  await storeSiteReports(tx, { player_id, message_ids }, at);
  const { brand_id } = first;
  if (rows.length > mostSingleSignals) {
    return writeSignals(tx, [{ brand_id, player_id, kind: 'list_again', message_id: null }]);
  }
  return writeSignals(
    tx,
    message_ids.map((message_id) => ({ brand_id, player_id, kind: 'read', message_id })),
  );
}

async function change(
  tx: PoolClient,
  { name, kind, doneIn, isOpen, set }: Change,
  { player_id, message_id }: { player_id: number; message_id: number },
  at: Micros,
): Promise<DoneByPlayer> {
  const { rows } = await tx.query<{ brand_id: number; changed: boolean }>({
    name,
    text: `with seen as (
             select n.message_id, n.brand_id, n.read_at, n.state <> 'live' or n.expires_at <= $3 as is_over from notification n
              where n.message_id = $1 and n.player_id = $2
                and (n.state in (${doneIn})
                     or (n.state = 'live' and (n.expires_at <= $3 or (${notBeingRecalled} and ${notTakenBack('$2')})))) for update of n
           ), changed as (
             update notification n set ${set} from seen
              where n.message_id = seen.message_id and not seen.is_over and ${isOpen} returning n.message_id
           )
           select seen.brand_id, exists (select from changed) as changed from seen`,
    values: [message_id, player_id, timestamptzText(at)],
  });
  const [touched] = rows;
  if (touched === undefined) return { outcome: 'unknown', signals: [] };
  if (!touched.changed) return { outcome: 'done', signals: [] };
  if (kind === 'read') await storeSiteReports(tx, { player_id, message_ids: [message_id] }, at);
  return {
    outcome: 'done',
    signals: await writeSignals(tx, [{ brand_id: touched.brand_id, player_id, kind, message_id }]),
  };
}
