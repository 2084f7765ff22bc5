/**
 * The median of `count` measurements, one after the other. Tests of a duration use it instead of a single measurement, because
 * a machine that is frozen for a moment says nothing about the platform.
 */
export async function medianOf(count: number, measure: (n: number) => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let n = 0; n < count; n++) found.push(await measure(n));
  return found.sort((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN;
}
