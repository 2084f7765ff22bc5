import type { ClientBase } from 'pg';
import { type NamedKind, tablesOf } from './kinds.ts';
import type { NamedCount } from './named-event.ts';

/**
 * Every name of this kind that the player has had, over the whole lifetime, including events that were dropped with the
 * history.
 */
export async function readNamedCounts(
  db: Pick<ClientBase, 'query'>,
  kind: NamedKind,
  playerId: number,
): Promise<Omit<NamedCount, 'player_id'>[]> {
  const { rows } = await db.query<Omit<NamedCount, 'player_id'>>({
    name: `read_${kind}_counts`,
    text: `select name, event_count, first_at, last_at from ${tablesOf(kind).countTable} where player_id = $1 order by name`,
    values: [playerId],
  });
  return rows;
}
