import type { Micros } from '@croupier/contracts';

/** YYYY-MM-DD HH:MM:SS, UTC, whole seconds (decisions.md 8, "Date, Expires"). */
export function siteTime(at: Micros): string {
  return new Date(at / 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
