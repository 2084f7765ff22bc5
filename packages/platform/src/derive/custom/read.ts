import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';

/** One type of a player's custom events, for traits and segments. */
export interface CustomTally {
  notification_type: string;
  /** Over the player's whole life, pruned events included. */
  event_count: number;
  first_at: Micros;
  last_at: Micros;
}

/** Every type that the player has had, by name. */
export async function readCustomTallies(db: Pick<ClientBase, 'query'>, playerId: number): Promise<CustomTally[]> {
  const { rows } = await db.query<CustomTally>(
    `select notification_type, event_count, first_at, last_at from live.custom_count
     where player_id = $1 order by notification_type`,
    [playerId],
  );
  return rows;
}
