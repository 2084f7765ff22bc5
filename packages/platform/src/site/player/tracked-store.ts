import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';

/** Statements on site_tracked. */

export interface RememberedEvent {
  at: Micros;
  digest: Buffer;
}

/**
 * Remembers a call, or finds what was remembered of it before. One statement, so that of two calls at the same time both get the
 * time of one: the update changes nothing and waits for whoever inserts.
 */
export async function rememberTracked(
  pool: Pool,
  event: { player_id: number; event_id: string; digest: Buffer; at: Micros },
): Promise<RememberedEvent> {
  const { rows } = await pool.query<RememberedEvent>({
    name: 'remember_tracked_event',
    text: `insert into site_tracked as t (player_id, event_id, digest, at) values ($1, $2, $3, $4)
           on conflict (player_id, event_id) do update set digest = t.digest
           returning at, digest`,
    values: [event.player_id, event.event_id, event.digest, timestamptzText(event.at)],
  });
  const [remembered] = rows;
  if (remembered === undefined) throw new Error('a tracked event was not remembered');
  return remembered;
}

/** @returns how many were forgotten, `limit` at most. */
export async function forgetTracked(pool: Pool, before: Micros, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'forget_tracked_events',
    text: `delete from site_tracked where (player_id, event_id) in
             (select player_id, event_id from site_tracked where at < $1 order by at limit $2 for update skip locked)`,
    values: [timestamptzText(before), limit],
  });
  return rowCount ?? 0;
}
