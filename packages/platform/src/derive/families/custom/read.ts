import type { ClientBase } from 'pg';
import type { CustomCount } from './custom-event.ts';

/** Every type that the player has had, by name, over the whole life: events that went with the history included. */
export async function readCustomCounts(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
): Promise<Omit<CustomCount, 'player_id'>[]> {
  const { rows } = await db.query<Omit<CustomCount, 'player_id'>>({
    name: 'read_custom_counts',
    text: `select notification_type, event_count, first_at, last_at from live.custom_count
           where player_id = $1 order by notification_type`,
    values: [playerId],
  });
  return rows;
}
