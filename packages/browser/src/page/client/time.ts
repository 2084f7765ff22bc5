/** `YYYY-MM-DD HH:MM:SS`, UTC, as milliseconds since 1970; what is no time is never reached. */
export function timeOf(text: string): number {
  return Date.parse(`${text}`.replace(' ', 'T').replace(/Z?$/, 'Z')) || Infinity;
}

/** The same the other way round. */
export function siteTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
