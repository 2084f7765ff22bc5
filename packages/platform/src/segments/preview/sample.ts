import type { ClientBase } from 'pg';

/**
 * Players are assigned to the 64 buckets by a hash of the brand and their user_id, so one bucket is a random sample of
 * a brand.
 */
export const buckets = 64;

/** The number of players of a brand. */
export async function countPlayers(db: ClientBase, brandId: number): Promise<number> {
  const { rows } = await db.query<{ players: number }>(
    'select count(*) as players from player where brand_id = $1 and erased_at is null',
    [brandId],
  );
  return rows[0]?.players ?? 0;
}

/**
 * The players of a bucket in an order that is unrelated to their properties, so any part of them is a random sample,
 * too.
 */
export async function playersOfBucket(db: ClientBase, brandId: number, bucket: number): Promise<number[]> {
  const { rows } = await db.query<{ player_id: number }>(
    `select player_id from player where brand_id = $1 and bucket = $2 and erased_at is null
     order by hashint8(player_id), player_id`,
    [brandId, bucket],
  );
  return rows.map(({ player_id }) => player_id);
}
