import type { Pool } from 'pg';

/** Null if no event of the brand has contained this player yet. */
export async function findPlayer(pool: Pool, brandId: number, userId: string): Promise<number | null> {
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 and user_id = $2 and erased_at is null',
    [brandId, userId],
  );
  return rows[0]?.player_id ?? null;
}
