import type { Pool } from 'pg';

/** Null if the player was erased. */
export async function userIdOf(db: Pool, playerId: number): Promise<string | null> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'user_id_of_player',
    text: 'select user_id from player where player_id = $1 and erased_at is null',
    values: [playerId],
  });
  return rows[0]?.user_id ?? null;
}
