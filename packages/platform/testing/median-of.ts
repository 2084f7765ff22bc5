/**
 * The median of so many measurements, one after the other. A test of a length of time looks at it and not at a single one: a machine that
 * stands still for a moment says nothing about the platform.
 */
export async function medianOf(count: number, measure: (n: number) => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let n = 0; n < count; n++) found.push(await measure(n));
  return found.sort((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN;
}
