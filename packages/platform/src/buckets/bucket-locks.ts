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
 */
export async function lockAllBuckets(tx: ClientBase, stage: keyof typeof locks): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(${locks[stage]}, bucket) from generate_series(0, ${bucketCount - 1}) bucket`,
  );
}
