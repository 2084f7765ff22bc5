import { halvesOf } from '../../../chores/index.ts';
import { isDatabaseAway } from '../../../database/index.ts';

/** The error and its bucket. */
export interface BucketFailure {
  bucket: number;
  error: unknown;
}

/**
 * Runs something over several buckets together. If that fails, runs each half separately, down to the buckets that fail
 * on their own. One failing bucket among 64 costs 12 more runs, and does not block the others.
 *
 * @throws the error of a run if the database is unavailable: then no bucket is at fault
 */
export async function runSeparately<Result>(
  buckets: readonly number[],
  run: (buckets: readonly number[]) => Promise<Result>,
): Promise<{ results: Result[]; failures: BucketFailure[] }> {
  try {
    return { results: [await run(buckets)], failures: [] };
  } catch (error) {
    const [bucket] = buckets;
    if (isDatabaseAway(error) || bucket === undefined) throw error;
    if (buckets.length === 1) return { results: [], failures: [{ bucket, error }] };
    const [one, other] = halvesOf(buckets);
    const first = await runSeparately(one, run);
    const second = await runSeparately(other, run);
    return {
      results: [...first.results, ...second.results],
      failures: [...first.failures, ...second.failures],
    };
  }
}
