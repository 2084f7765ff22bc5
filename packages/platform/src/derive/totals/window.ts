import { dayOf, type Micros } from '@croupier/contracts';
import { hour, hourOf } from './spec.ts';

/**
 * A window of docs/reference/decisions.md 3: the current UTC hour and the N-1 before (1-48), or the current calendar day of the brand's
 * time zone and the N-1 before (1-366).
 */
export interface Window {
  unit: 'hours' | 'days';
  count: number;
  /** As it was asked for, where that is not the usual name: 1d is today. */
  name?: string;
}

export const longestWindow = { hours: 48, days: 366 } as const;

/** Windows that a player's traits are shown with when nobody asks for others. */
export const usualWindows: readonly Window[] = [
  { unit: 'hours', count: 24 },
  { unit: 'days', count: 1 },
  { unit: 'days', count: 7 },
  { unit: 'days', count: 30 },
];

/** The suffix of trait names: `24h`, `7d`; one day is `today`, unless it was asked for as `1d`. */
export function windowName({ unit, count, name }: Window): string {
  if (name !== undefined) return name;
  if (unit === 'hours') return `${count}h`;
  return count === 1 ? 'today' : `${count}d`;
}

/** @returns undefined when the text names no window: `today`, `1h` to `48h`, `1d` to `366d`. */
export function readWindow(text: string): Window | undefined {
  if (text === 'today') return { unit: 'days', count: 1 };
  const match = /^([1-9]\d{0,2})([hd])$/.exec(text);
  if (match === null) return undefined;
  const unit = match[2] === 'h' ? 'hours' : 'days';
  const count = Number(match[1]);
  if (count > longestWindow[unit]) return undefined;
  return text === '1d' ? { unit, count, name: text } : { unit, count };
}

/** The first and the last hour of a window of hours, by their starts. */
export function hoursOf(count: number, now: Micros): [first: Micros, last: Micros] {
  const last = hourOf(now);
  return [last - (count - 1) * hour, last];
}

/** The first and the last day of a window of days: calendar days, however many hours a day has. */
export function daysOf(count: number, now: Micros, timeZone: string): [first: string, last: string] {
  const last = dayOf(timeZone, now);
  const first = new Date(Date.parse(`${last}T00:00:00Z`) - (count - 1) * 86_400_000).toISOString().slice(0, 10);
  return [first, last];
}
