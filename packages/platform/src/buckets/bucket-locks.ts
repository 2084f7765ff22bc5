import type { ClientBase } from 'pg';

/** Names of the advisory locks, one per bucket: held by who looks at news of its players. */
const locks = { segments: 0x73_65_67, campaigns: 0x63_6d_70 } as const;

/**
 * A lease says who works; that nobody else works beside is made sure by these locks, so a worker that was stopped and wakes does no harm.
 *
 * @returns those of the buckets that this transaction now looks after, until it ends
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
