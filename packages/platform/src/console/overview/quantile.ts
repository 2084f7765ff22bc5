/**
 * The value below which a share `q` of a histogram's entries lie, as the upper bound of its bucket; null if the histogram is
 * empty.
 *
 * It returns the bound, not an interpolated value inside the bucket. So a target that is itself a bound (the 1 second of
 * docs/reference/interface.md, Delivery rules 1) is met or missed exactly, and a displayed figure is never better than the
 * actual one.
 *
 * @param counts entries per bucket
 * @param upperBounds the upper bound of each bucket, ascending, in the unit of the answer. The last may be Infinity. The
 *   answer for that bucket is its lower bound, which means "at least"
 */
export function quantile(counts: readonly number[], upperBounds: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(q * total));
  let seen = 0;
  for (const [bucket, count] of counts.entries()) {
    seen += count;
    if (seen >= rank) return finiteBound(upperBounds, bucket);
  }
  return finiteBound(upperBounds, counts.length - 1);
}

function finiteBound(upperBounds: readonly number[], bucket: number): number {
  const bound = upperBounds[bucket] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(bound) ? bound : (upperBounds[bucket - 1] ?? 0);
}
