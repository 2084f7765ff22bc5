import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { writeSignals } from '../signals/signal-store.ts';
import { notBeingRecalled } from './columns.ts';

/*
 * What a player does to a message: reads it, deletes it (interface.md, Notification lifecycle). Doing it again is harmless and
 * changes nothing, so a request that is repeated after a lost answer gets the same one (decisions.md 8).
 */

/** unknown: the player has no such message, or not any more. `signals`: to poke the sender with, after the commit. */
export interface DoneByPlayer {
  outcome: 'done' | 'unknown';
  signals: SiteSignal[];
}

interface Touched {
  brand_id: number;
  changed: boolean;
}

export async function markRead(
  tx: PoolClient,
  player_id: number,
  message_id: number,
  at: Micros,
): Promise<DoneByPlayer> {
  const { rows } = await tx.query<Touched>({
    name: 'mark_notification_read',
    text: `with seen as (
             select n.message_id, n.brand_id, n.read_at from notification n
              where n.message_id = $1 and n.player_id = $2 and n.state = 'live' and n.expires_at > $3 and ${notBeingRecalled}
                for update of n
           ), marked as (
             update notification n set read_at = $3 from seen
              where n.message_id = seen.message_id and seen.read_at is null returning n.message_id
           )
           select seen.brand_id, exists (select from marked) as changed from seen`,
    values: [message_id, player_id, timestamptzText(at)],
  });
  return done(tx, rows[0], { kind: 'read', player_id, message_id });
}

export async function deleteForPlayer(
  tx: PoolClient,
  player_id: number,
  message_id: number,
  at: Micros,
): Promise<DoneByPlayer> {
  const { rows } = await tx.query<Touched>({
    name: 'delete_notification',
    text: `with seen as (
             select n.message_id, n.brand_id, n.state from notification n
              where n.message_id = $1 and n.player_id = $2
                and (n.state = 'deleted' or (n.state = 'live' and n.expires_at > $3 and ${notBeingRecalled})) for update of n
           ), gone as (
             update notification n set state = 'deleted', reason = null, state_since = $3 from seen
              where n.message_id = seen.message_id and seen.state = 'live' returning n.message_id
           )
           select seen.brand_id, exists (select from gone) as changed from seen`,
    values: [message_id, player_id, timestamptzText(at)],
  });
  return done(tx, rows[0], { kind: 'deleted', player_id, message_id });
}

async function done(
  tx: PoolClient,
  touched: Touched | undefined,
  { kind, player_id, message_id }: { kind: 'read' | 'deleted'; player_id: number; message_id: number },
): Promise<DoneByPlayer> {
  if (touched === undefined) return { outcome: 'unknown', signals: [] };
  if (!touched.changed) return { outcome: 'done', signals: [] };
  return {
    outcome: 'done',
    signals: await writeSignals(tx, [{ brand_id: touched.brand_id, player_id, kind, message_id }]),
  };
}
