import type { ClientBase } from 'pg';
import { bucketCount } from '../ledger/index.ts';

/**
 * Classes of the advisory locks, one lock per bucket. A lane holds the lock while it processes news of the bucket's
 * players.
 */
const locks = { segments: 0x73_65_67, campaigns: 0x63_6d_70 } as const;

/**
 * Locks those of the buckets that no other transaction has locked. A lease assigns a bucket to a worker. These locks ensure
 * that no other worker processes the bucket at the same time. So a worker that was suspended and resumes after its lease
 * has expired cannot cause damage.
 *
 * @returns the buckets that this transaction has locked, until it ends
 */
export async function lockBuckets(
  tx: ClientBase,
  stage: keyof typeof locks,
  buckets: readonly number[],
): Promise<number[]> {
  const { rows } = await tx.query<{ bucket: number }>({
    name: `lock_${stage}_buckets`,
    text: `select bucket from unnest($1::int[]) bucket where pg_try_advisory_xact_lock(${locks[stage]}, bucket)`,
    values: [buckets],
  });
  return rows.map(({ bucket }) => bucket);
}

/**
 * Waits until no other transaction has locked a bucket, and keeps all buckets locked until this transaction ends. After that, everything
 * is visible that rounds wrote while they did not know of an earlier change, such as the stop of a campaign. Rounds skip the locked
 * buckets meanwhile, so this transaction must be short.
 *
 * @returns false if a round held a bucket for more than 3 s. The transaction has failed then, and must be rolled back
 */
export async function lockAllBuckets(tx: ClientBase, stage: keyof typeof locks): Promise<boolean> {
  await tx.query(`set local lock_timeout = ${longestWaitMs}`);
  try {
    await tx.query(
      `select pg_advisory_xact_lock(${locks[stage]}, bucket) from generate_series(0, ${bucketCount - 1}) bucket`,
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) return false;
    throw error;
  }
  await tx.query('set local lock_timeout to default');
  return true;
}

/** A round takes milliseconds; a suspended worker may hold its buckets for longer. */
const longestWaitMs = 3_000;
const lockNotAvailable = '55P03';
