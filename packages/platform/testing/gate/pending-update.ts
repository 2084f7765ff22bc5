import type { Pool } from 'pg';
import { bucketOf, playerHash } from '../../src/ledger/index.ts';

/**
 * Leaves the state as after the commit of an acknowledged update of the player. @returns a function that does what derive does
 * when it has applied the update
 */
export async function acknowledgeUpdate(pool: Pool, brandId: number, userId: string): Promise<() => Promise<void>> {
  const hash = playerHash(brandId, userId);
  const key = [bucketOf(hash), BigInt.asIntN(64, hash).toString()];
  await pool.query(
    'insert into pending_protection (bucket, player_hash, writer_id, seq, index) values ($1, $2, 1, 1, 0)',
    key,
  );
  return async () => {
    await pool.query('delete from pending_protection where bucket = $1 and player_hash = $2', key);
  };
}
