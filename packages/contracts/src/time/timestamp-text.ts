import type { Micros } from '../values.ts';

/** A timestamp as written. With an offset it is an instant; without one it is a local time. */
export interface WrittenTime {
  /** Microseconds. If `zoned`, they are the instant; otherwise they are the local time as if it were UTC. */
  micros: Micros;
  zoned: boolean;
}

const form =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{1,2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?: ?(?:([Zz])|([+-])(\d{2}):?(\d{2})?))?$/;

/** The form as a JSON Schema pattern, for the published schema. */
export const timestampPattern = form.source;

/** From 2255 on, microseconds are no longer safe integers. */
const maxYear = 2254;

/**
 * Reads RFC 3339 with any offset and up to 9 fraction digits, one-digit hours, a space instead of the T, and the
 * zone-less `YYYY-MM-DD HH:MM:SS[.fff]` (docs/reference/decisions.md 1, "Timestamps"). Digits below the microsecond are
 * cut off. A leap second (:60) is the first second of the next minute. Returns undefined for anything else.
 */
export function readTimestampText(text: string): WrittenTime | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hours, minutes, seconds, fraction, z, sign, offsetHours, offsetMinutes] = match;
  const wall = wallClock(Number(year), Number(month), Number(day), Number(hours), Number(minutes), Number(seconds));
  if (wall === undefined) return undefined;
  const micros = wall + (fraction === undefined ? 0 : Number(fraction.padEnd(6, '0').slice(0, 6)));
  if (z !== undefined) return { micros, zoned: true };
  if (sign === undefined) return { micros, zoned: false };
  if (Number(offsetHours) > 23 || Number(offsetMinutes ?? 0) > 59) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes ?? 0)) * 60_000_000;
  return { micros: sign === '+' ? micros - offset : micros + offset, zoned: true };
}

function wallClock(year: number, month: number, day: number, hours: number, minutes: number, seconds: number) {
  if (year < 1 || year > maxYear || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  // Date.UTC maps years below 100 to 1900 and later. All callers refuse such years anyway.
  return Date.UTC(year, month - 1, day, hours, minutes, seconds) * 1000;
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return leap ? 29 : (monthDays[month - 1] ?? 0);
}
