/**
 * Returns the time between two moments as an ISO 8601 duration of its two largest units, or undefined below a second.
 */
export function lengthBetween(from: string, to: string): string | undefined {
  let seconds = Math.floor((Date.parse(to) - Date.parse(from)) / 1_000);
  if (!(seconds > 0)) return undefined;
  const units = [
    ['D', 86_400],
    ['H', 3_600],
    ['M', 60],
    ['S', 1],
  ] as const;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  const shown = parts.slice(0, 2);
  const days = shown.filter((part) => part.endsWith('D')).join('');
  const times = shown.filter((part) => !part.endsWith('D')).join('');
  return `P${days}${times && `T${times}`}`;
}

/** Returns the milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds, or 0 for other text. */
export function millisecondsOf(duration: string): number {
  const [, ...parts] = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration) ?? [];
  const sizes = [604_800, 86_400, 3_600, 60, 1];
  return parts.reduce((sum, part, at) => sum + Number(part ?? 0) * (sizes[at] ?? 0), 0) * 1_000;
}
