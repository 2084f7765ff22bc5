import type { Micros } from '@croupier/contracts';
import { fromLocalTime } from '@croupier/contracts/time';
import { dayOf, daysBetween, plusDays, readDuration } from '@croupier/rules';

/**
 * When players enter a campaign: once (`at` is a local date and time), or repeatedly at a time of day. `every` counts days
 * (P1D, P7D), months (P1M) or years (P1Y) from `from`. The default of `from` is a Monday that was the first of a month, so P7D
 * means every Monday and P1M means the first of every month. If a month does not have the day of `from`, its last day is used. In
 * years without a February 29, this is February 28.
 */
export type Schedule = ScheduleZone & ({ at: string } | { every: string; at: string; from?: string });

/** One time of a schedule. */
export interface ScheduledMoment {
  /** The local time, such as 2026-12-24T18:00. It identifies the occurrence: it is the same in each zone. */
  local: string;
  at: Micros;
}

interface ScheduleZone {
  /** The zone of the local times: the player's or the brand's. Default: brand. */
  zone?: 'player' | 'brand';
}

/** January 1, 1973, was a Monday. */
const firstMonday = '1973-01-01';
const dayLength: Micros = 86_400_000_000;

/**
 * The times after `after` and up to `until`, in order. A local time that the clocks skip moves forward by the
 * gap. If a local time occurs twice, the first occurrence counts.
 *
 * @param zone the player's or the brand's, as the schedule requires.
 */
export function scheduledBetween(schedule: Schedule, after: Micros, until: Micros, zone: string): ScheduledMoment[] {
  const isDue = ({ at }: ScheduledMoment) => at > after && at <= until;
  if (!('every' in schedule)) return [momentOf(schedule.at, zone)].filter(isDue);
  const days = daysOf(schedule, plusDays(dayOf(zone, after), -1), dayOf(zone, until));
  return days.map((day) => momentOf(`${day}T${schedule.at}`, zone)).filter(isDue);
}

export function momentsBetween(schedule: Schedule, after: Micros, until: Micros, zone: string): Micros[] {
  return scheduledBetween(schedule, after, until, zone).map(({ at }) => at);
}

function momentOf(local: string, zone: string): ScheduledMoment {
  return { local, at: localMoment(local, zone) };
}

/**
 * The days of a schedule from `first` to `last`. `first` is one day before the first that can be due, because clocks that skip
 * midnight move a time into the next day.
 */
function daysOf(
  { every, from = firstMonday }: { every: string; from?: string },
  first: string,
  last: string,
): string[] {
  const step = stepOf(every);
  if (step === undefined)
    throw new RangeError(`"${every}" is not a number of whole days, months or years; write for example P1D`);
  const start = first > from ? first : from;
  const days: string[] = [];
  const passed =
    'months' in step ? monthsBetween(from, start) / step.months : Math.ceil(daysBetween(from, start) / step.days);
  for (let count = Math.max(0, Math.floor(passed)); ; count++) {
    const day = 'months' in step ? plusMonths(from, count * step.months) : plusDays(from, count * step.days);
    if (day > last) return days;
    if (day >= start) days.push(day);
  }
}

/** The interval between the days of a schedule; undefined if the text is not a valid duration. */
export function stepOf(every: string): { days: number } | { months: number } | undefined {
  const [, count, unit] = /^P([1-9]\d{0,2})([MY])$/.exec(every) ?? [];
  if (count !== undefined) return { months: Number(count) * (unit === 'Y' ? 12 : 1) };
  const days = (readDuration(every) ?? 0) / dayLength;
  return Number.isInteger(days) && days >= 1 ? { days } : undefined;
}

function monthsBetween(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number);
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number);
  return (toYear - fromYear) * 12 + toMonth - fromMonth;
}

function plusMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

/**
 * Returns the time that `until` of a wait means. A time of day means its next occurrence, which may be now. A local date without
 * a time means its midnight. A past date gives a past time.
 */
export function nextMoment(until: string, at: Micros, zone: string): Micros {
  if (!timeOfDay.test(until)) return localMoment(until.includes('T') ? until : `${until}T00:00`, zone);
  const [next] = momentsBetween({ every: 'P1D', at: until }, at - 1, at + 3 * dayLength, zone);
  if (next === undefined) throw new RangeError(`${zone} has no ${until} within three days`);
  return next;
}

/** Whether the text is a valid `until` of a wait: 18:00, 2026-12-24 or 2026-12-24T18:00. */
export function isUntil(text: string): boolean {
  const [day = '', time] = text.split('T');
  return isTimeOfDay(text) || (isDay(day) && (time === undefined || isTimeOfDay(time)));
}

/** 18:00 */
export function isTimeOfDay(text: string): boolean {
  return timeOfDay.test(text);
}

/** 2026-12-24. The years 2000 to 2199, because microseconds of later centuries are not exact numbers. */
export function isDay(text: string): boolean {
  if (!/^2[01]\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = new Date(`${text}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

function localMoment(text: string, zone: string): Micros {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall))
    throw new RangeError(`"${text}" is not a local date and time; write for example 2026-12-24T18:00`);
  return fromLocalTime(zone, wall * 1000).at;
}
