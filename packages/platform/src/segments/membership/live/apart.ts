import { isDatabaseAway } from '../../../database/index.ts';

/** What failed, and in which bucket. */
export interface BucketFailure {
  bucket: number;
  error: unknown;
}

/**
 * Runs something over buckets together. If that fails, runs each half alone, down to the buckets that fail by themselves: one failing
 * bucket among 64 costs 12 runs more, and stops none of the others.
 *
 * @throws what a run threw while the database was away: then no bucket is to blame
 */
export async function runApart<Result>(
  buckets: readonly number[],
  run: (buckets: readonly number[]) => Promise<Result>,
): Promise<{ results: Result[]; failures: BucketFailure[] }> {
  try {
    return { results: [await run(buckets)], failures: [] };
  } catch (error) {
    const [bucket] = buckets;
    if (isDatabaseAway(error) || bucket === undefined) throw error;
    if (buckets.length === 1) return { results: [], failures: [{ bucket, error }] };
    const half = Math.ceil(buckets.length / 2);
    const first = await runApart(buckets.slice(0, half), run);
    const second = await runApart(buckets.slice(half), run);
    return {
      results: [...first.results, ...second.results],
      failures: [...first.failures, ...second.failures],
    };
  }
}
