/**
 * Durations are counted in buckets that double, from 1 ms to 16 s: enough to tell 20 ms from 40, and a sum of two
 * histograms is the histogram of both. The last bucket takes the rest.
 */
export const latencyBoundsMs = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384] as const;
export const latencyBuckets = latencyBoundsMs.length + 1;

export function latencyBucket(ms: number): number {
  const bucket = latencyBoundsMs.findIndex((bound) => ms <= bound);
  return bucket === -1 ? latencyBoundsMs.length : bucket;
}

/** The duration that a share of the calls stayed below, as the upper bound of its bucket; null without calls. */
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
