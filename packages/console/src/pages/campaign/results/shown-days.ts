const dayMs = 86_400_000;
/** Fewer days than this make the axis hard to read. */
const fewestDays = 7;

/**
 * Returns the days that the chart shows: from the first day with data, but at least a week, within the days that were
 * read. Without data, these are all days that were read. Pure.
 *
 * @param days the days with data, in any order
 */
export function shownDays(days: readonly { day: string }[], { from, to }: { from: string; to: string }): string[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (days.length === 0) return daysBetween(start, end);
  const first = Math.min(end - (fewestDays - 1) * dayMs, ...days.map(({ day }) => Date.parse(day)));
  return daysBetween(Math.max(start, first), end);
}

/** Returns all days from one day to another, both included. */
function daysBetween(start: number, end: number): string[] {
  const days: string[] = [];
  for (let at = start; at <= end; at += dayMs) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
