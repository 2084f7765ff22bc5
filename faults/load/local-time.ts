/** @param at in milliseconds since the epoch @returns the local time as 2026-12-24T18:00 */
export function localTime(at: number, timeZone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T').slice(0, 16);
}
