import { dayOf, daysBetween, nextMidnight, plusDays, plusYears, startOfDay } from '../calendar.ts';
import { wholeDays } from '../duration.ts';
import type { Operator } from './operator.ts';

/**
 * The first anniversary of a day that is today or later. A person born on February 29 has it on February 28 in other
 * years.
 */
export function nextAnniversary(day: string, today: string): string {
  const years = Number(today.slice(0, 4)) - Number(day.slice(0, 4));
  const thisYear = plusYears(day, years);
  return thisYear < today ? plusYears(day, years + 1) : thisYear;
}

/** The days, as MM-DD, whose anniversary is today or within this many days. */
function daysOfYear(today: string, within: number): string[] {
  const days = Array.from({ length: within + 1 }, (_, later) => plusDays(today, later));
  const leaps = days.filter((day) => day.endsWith('-02-28') && !plusDays(day, 1).endsWith('-29')).map(() => '02-29');
  return [...new Set([...days.map((day) => day.slice(5)), ...leaps])];
}

/** The anniversary is today (P0D) or within that many days, in days of the brand's zone. */
export const anniversaryWithin: Operator = {
  name: 'anniversaryWithin',
  kinds: ['date'],
  check: (value) => {
    const days = typeof value === 'string' ? wholeDays(value) : undefined;
    return days !== undefined && days <= 366 ? undefined : 'must be a duration of 0 to 366 whole days, for example P7D';
  },
  holds: ({ actual, value, reading }) => {
    const today = dayOf(reading.zone, reading.at);
    return daysBetween(today, nextAnniversary(String(actual), today)) <= (wholeDays(String(value)) ?? 0);
  },
  // Two anniversaries are at most 366 days apart, so that span never ends.
  changesAfter: ({ actual, value, reading: { at, zone } }) => {
    const within = wholeDays(String(value)) ?? 0;
    if (within >= 366) return undefined;
    const today = dayOf(zone, at);
    const next = nextAnniversary(String(actual), today);
    return startOfDay(zone, daysBetween(today, next) > within ? plusDays(next, -within) : plusDays(next, 1));
  },
  sql: (expression, value, writer) => {
    const today = dayOf(writer.reading.zone, writer.reading.at);
    return `to_char(${expression}, 'MM-DD') = any(${writer.parameter(daysOfYear(today, wholeDays(String(value)) ?? 0), 'text[]')})`;
  },
  // This may be too early, but never too late. Players with a birth date are evaluated again at midnight.
  changesSql: (expression, _value, writer) => [
    `case when ${expression} is not null then ${writer.moment(nextMidnight(writer.reading.zone, writer.reading.at))} end`,
  ],
  words: (value) => {
    const days = wholeDays(String(value));
    return days === 0
      ? 'has its anniversary today'
      : `has its anniversary within ${days} ${days === 1 ? 'day' : 'days'}`;
  },
};
