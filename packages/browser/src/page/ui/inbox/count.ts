/** At most three digits: beyond, counts are not told apart. */
export function countText(count: number): string {
  return count > 999 ? '999+' : String(count);
}
