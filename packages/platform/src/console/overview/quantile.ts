/**
 * The value below which a share `q` of a histogram's entries lie, as the upper bound of the bucket that holds it; null
 * when the histogram is empty.
 *
 * The bound, not a point guessed inside the bucket: a target that is itself a bound (the 1 second of docs/reference/interface.md,
 * Delivery rules 1) is then met or missed exactly, and a figure on the screen never looks better than the truth.
 *
 * @param counts entries per bucket
 * @param upperBounds the upper bound of each bucket, ascending, in the unit of the answer; the last may be Infinity,
 *   then its lower bound is the answer, which says "at least"
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
