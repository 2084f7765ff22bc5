import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/** The buckets in which segments are not updated. Operations staff see them. */
export interface FailingBuckets {
  buckets: number[];
  /** When the first of them began to fail. */
  since: Micros | null;
  /** The latest error. */
  reason: string | null;
}

export async function noteBucketFailures(
  db: Pool | ClientBase,
  failures: readonly { bucket: number; reason: string }[],
  at: Micros,
): Promise<void> {
  if (failures.length === 0) return;
  await db.query({
    name: 'note_segment_bucket_failures',
    text: `insert into segment_bucket_failure as f (bucket, since, failed_at, reason)
           select bucket, $3, $3, reason from unnest($1::smallint[], $2::text[]) as n (bucket, reason) order by bucket
           on conflict (bucket) do update
              set failed_at = excluded.failed_at, failures = f.failures + 1, reason = excluded.reason`,
    values: [failures.map(({ bucket }) => bucket), failures.map(({ reason }) => reason), timestamptzText(at)],
  });
}

/** Called after a round succeeded in these buckets. */
export async function forgetBucketFailures(db: Pool | ClientBase, buckets: readonly number[]): Promise<void> {
  await db.query({
    name: 'forget_segment_bucket_failures',
    text: 'delete from segment_bucket_failure where bucket = any($1::smallint[])',
    values: [buckets],
  });
}

export async function readFailingBuckets(db: Pool | ClientBase): Promise<FailingBuckets> {
  const { rows } = await db.query<FailingBuckets>({
    name: 'read_segment_bucket_failures',
    text: `select coalesce(array_agg(bucket::int order by bucket), '{}') as buckets, min(since) as since,
                  (array_agg(reason order by failed_at desc, bucket))[1] as reason
             from segment_bucket_failure`,
  });
  return rows[0] ?? { buckets: [], since: null, reason: null };
}
