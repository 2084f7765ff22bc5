import type { Pool } from 'pg';
import { bucketOf, playerHash } from '../../src/ledger/index.ts';

/**
 * Creates the state after an update of the player was acknowledged and committed, and before it is applied.
 *
 * @returns a function that marks the update as applied, as derive does
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
