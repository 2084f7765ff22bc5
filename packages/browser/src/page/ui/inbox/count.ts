/** Returns a count as text with at most three digits. Larger counts are shown as 999+. */
export function countText(count: number): string {
  return count > 999 ? '999+' : String(count);
}
