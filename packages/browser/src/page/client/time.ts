/** Converts `YYYY-MM-DD HH:MM:SS`, UTC, to milliseconds since 1970. An invalid time becomes Infinity. */
export function timeOf(text: string): number {
  return Date.parse(`${text}`.replace(' ', 'T').replace(/Z?$/, 'Z')) || Infinity;
}

/** Converts milliseconds since 1970 to `YYYY-MM-DD HH:MM:SS`, UTC. */
export function siteTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
