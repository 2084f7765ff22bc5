/**
 * Durations are counted in buckets that double, from 1 ms to 16 s. That is enough to distinguish 20 ms from 40 ms, and the
 * histogram of two sets is the sum of their histograms. The last bucket counts everything longer.
 */
export const latencyBoundsMs = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384] as const;
export const latencyBuckets = latencyBoundsMs.length + 1;

export function latencyBucket(ms: number): number {
  const bucket = latencyBoundsMs.findIndex((bound) => ms <= bound);
  return bucket === -1 ? latencyBoundsMs.length : bucket;
}

/**
 * The duration that this share of the calls did not exceed, as the upper bound of its bucket. Null if there were no calls.
 */
export function latencyQuantile(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = share * total;
  for (const [bucket, count] of histogram.entries()) {
    left -= count;
    if (left <= 0) return latencyBoundsMs[bucket] ?? Number.POSITIVE_INFINITY;
  }
  return Number.POSITIVE_INFINITY;
}
