import type { ConsentType, Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** The SQL of the unsubscribe page: the player behind a link, and the table unsubscription. */

/** False if there is no such player, or the player was erased. */
export async function playerIsThere(
  db: Pool | PoolClient,
  player: { brand_id: number; player_id: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'player_of_a_link',
    text: 'select from player where player_id = $1 and brand_id = $2 and erased_at is null',
    values: [player.player_id, player.brand_id],
  });
  return rowCount === 1;
}

export interface Unsubscription {
  change_id: number;
  brand_id: number;
  player_id: number;
  at: Micros;
  channel: ConsentType;
  way: 'page' | 'one_click';
  stopped: ConsentType[];
  restorable: ConsentType[];
}

export async function insertUnsubscription(tx: PoolClient, one: Unsubscription): Promise<void> {
  await tx.query({
    name: 'insert_unsubscription',
    text: `insert into unsubscription (change_id, brand_id, player_id, at, channel, way, stopped, restorable)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      one.change_id,
      one.brand_id,
      one.player_id,
      timestamptzText(one.at),
      one.channel,
      one.way,
      one.stopped,
      one.restorable,
    ],
  });
}

/** The newest press since the given time; null if there was none, or it was undone. */
export async function lastUnsubscription(
  tx: PoolClient,
  playerId: number,
  since: Micros,
): Promise<Unsubscription | null> {
  const { rows } = await tx.query<Unsubscription & { undone_at: Micros | null }>({
    name: 'last_unsubscription',
    text: `select change_id, brand_id, player_id, at, channel, way, stopped, restorable, undone_at
             from unsubscription where player_id = $1 and at >= $2 order by change_id desc limit 1`,
    values: [playerId, timestamptzText(since)],
  });
  const [row] = rows;
  return row === undefined || row.undone_at !== null ? null : row;
}

export async function markUndone(tx: PoolClient, changeId: number, at: Micros): Promise<void> {
  await tx.query({
    name: 'unsubscription_undone',
    text: 'update unsubscription set undone_at = $2 where change_id = $1',
    values: [changeId, timestamptzText(at)],
  });
}
