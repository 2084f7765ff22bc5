import { dayOf, type Micros, plusDays } from '@croupier/contracts';
import { hour, hourOf } from './spec.ts';

/**
 * A window of docs/reference/decisions.md 3. It is the current UTC hour and the N-1 hours before it (N is 1-48), or the current calendar
 * day of the brand's time zone and the N-1 days before it (N is 1-366). `prev_` means the same number of days before those
 * (docs/decisions/0805).
 */
export interface Window {
  unit: 'hours' | 'days';
  count: number;
  /** The same number of days before the last `count` days: what "last 7 days" was a week ago. */
  before?: true;
  /** The name as requested, if it differs from the default: 1d is today. */
  name?: string;
}

export const longestWindow = { hours: 48, days: 366 } as const;

/** All windows, described for people. */
export const windowsInWords = `today, 1h to ${longestWindow.hours}h, 1d to ${longestWindow.days}d, prev_1d to prev_${longestWindow.days}d`;

/** The windows with which a player's traits are shown by default. */
export const usualWindows: readonly Window[] = [
  { unit: 'hours', count: 24 },
  { unit: 'days', count: 1 },
  { unit: 'days', count: 7 },
  { unit: 'days', count: 30 },
];

/** The suffix of trait names: `24h`, `7d`, `prev_7d`. One day is `today`, unless it was requested as `1d`. */
export function windowName({ unit, count, before, name }: Window): string {
  if (name !== undefined) return name;
  if (before === true) return `prev_${count}d`;
  if (unit === 'hours') return `${count}h`;
  return count === 1 ? 'today' : `${count}d`;
}

/** @returns undefined if the text is not a window; `windowsInWords` lists them */
export function readWindow(text: string): Window | undefined {
  if (text === 'today') return { unit: 'days', count: 1 };
  const match = /^(?:prev_([1-9]\d{0,2})d|([1-9]\d{0,2})([hd]))$/.exec(text);
  if (match === null) return undefined;
  const unit = match[3] === 'h' ? 'hours' : 'days';
  const count = Number(match[1] ?? match[2]);
  if (count > longestWindow[unit]) return undefined;
  if (match[1] !== undefined) return { unit: 'days', count, before: true };
  return text === '1d' ? { unit, count, name: text } : { unit, count };
}

/** The first and the last hour of a window of hours, by their start times. */
export function hoursOf(count: number, now: Micros): [first: Micros, last: Micros] {
  const last = hourOf(now);
  return [last - (count - 1) * hour, last];
}

/** The first and the last day of a window of days. These are calendar days, even if a day has 23 or 25 hours. */
export function daysOf(
  { count, before }: Pick<Window, 'count' | 'before'>,
  now: Micros,
  timeZone: string,
): [first: string, last: string] {
  const today = dayOf(timeZone, now);
  const back = before === true ? count : 0;
  return [plusDays(today, -(back + count - 1)), plusDays(today, -back)];
}
