/**
 * Returns the single change from one text to another: the part between their common beginning and their common end.
 * Pure.
 */
export function changeBetween(former: string, latter: string): { from: number; to: number; insert: string } {
  const shortest = Math.min(former.length, latter.length);
  let from = 0;
  while (from < shortest && former[from] === latter[from]) from++;
  let kept = 0;
  while (kept < shortest - from && former[former.length - 1 - kept] === latter[latter.length - 1 - kept]) kept++;
  return { from, to: former.length - kept, insert: latter.slice(from, latter.length - kept) };
}
