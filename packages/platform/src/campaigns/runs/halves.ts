/** Both halves of a list, to find the part that causes a failure. The first half is at most one longer. */
export function halvesOf<T>(all: readonly T[]): [readonly T[], readonly T[]] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}
