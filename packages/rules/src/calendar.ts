import type { Micros } from '@croupier/contracts';
import { dayOf, daysBetween, fromLocalTime, plusDays } from '@croupier/contracts/time';
import { DateTime } from 'luxon';

export { dayOf, daysBetween, plusDays };

/**
 * The first instant of a day in a zone. If midnight does not exist (clocks go forward at 00:00), the day begins at
 * 01:00.
 */
export function startOfDay(zone: string, day: string): Micros {
  return fromLocalTime(zone, Date.parse(`${day}T00:00:00Z`) * 1000).at;
}

/** The first instant of the next day. */
export function nextMidnight(zone: string, at: Micros): Micros {
  return startOfDay(zone, plusDays(dayOf(zone, at), 1));
}

/** From the year 1000 on. PostgreSQL has no year 0, and the start of 0001-01-01 may be before it. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text, { zone: 'UTC' }).isValid;
}

/** Adds years to a day. February 29 becomes February 28 in years without that day, as in PostgreSQL. */
export function plusYears(day: string, years: number): string {
  const year = Number(day.slice(0, 4)) + years;
  const inYear = day.slice(4);
  // Only years with more or fewer than four digits need a DateTime. Usual days do without one, because rules compute thousands of
  // anniversaries a second.
  if (!isUsualDay.test(day) || year < 1_000 || year > 9_999)
    return DateTime.fromISO(day, { zone: 'UTC' }).plus({ years }).toISODate() ?? '';
  return inYear === '-02-29' && !isLeapYear(year) ? `${year}-02-28` : `${year}${inYear}`;
}

const isUsualDay = /^[1-9]\d{3}-\d{2}-\d{2}$/;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const moment = /^([1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/;

/** The first moment of the year 10000. Longer years have another form in texts. */
const endOfTime: Micros = Date.UTC(10_000, 0, 1) * 1000;

/**
 * A moment as written in rules: RFC 3339 with an offset, or a day, which means its first instant in the brand's zone.
 */
export function readMoment(text: string, zone: string): Micros | undefined {
  if (isDay(text)) return startOfDay(zone, text);
  const [, seconds, fraction = '', offset] = moment.exec(text) ?? [];
  const whole = Date.parse(`${seconds}${offset}`);
  const at = whole * 1000 + Number(fraction.padEnd(6, '0'));
  return at < endOfTime ? at : undefined;
}

/** RFC 3339 in UTC with microseconds, which PostgreSQL reads exactly. */
export function momentText(at: Micros): string {
  const micros = ((at % 1_000_000) + 1_000_000) % 1_000_000;
  const seconds = new Date((at - micros) / 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros).padStart(6, '0')}Z`;
}
