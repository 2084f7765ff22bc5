import type { Micros } from '@croupier/contracts';
import { fromLocalTime } from '@croupier/contracts/time';
import { dayOf, daysBetween, plusDays, readDuration } from '@croupier/rules';

/**
 * When a campaign enters its players: once (`at` a local date and time), or every some days at a time of day. Days are counted from
 * `from`; left out: from a Monday, so P7D means each Monday.
 */
export type Schedule = ScheduleZone & ({ at: string } | { every: string; at: string; from?: string });

interface ScheduleZone {
  /** Whose clock: default brand. */
  zone?: 'player' | 'brand';
}

const someMonday = '1970-01-05';
const dayLength: Micros = 86_400_000_000;

/**
 * The moments after `after` and up to `until`, in order. A local time that the clocks skip moves forward by the gap; one that occurs twice
 * means the first.
 *
 * @param zone the player's or the brand's, as the schedule asks.
 */
export function momentsBetween(schedule: Schedule, after: Micros, until: Micros, zone: string): Micros[] {
  const isDue = (moment: Micros) => moment > after && moment <= until;
  if (!('every' in schedule)) return [localMoment(schedule.at, zone)].filter(isDue);
  const days = (readDuration(schedule.every) ?? 0) / dayLength;
  if (!Number.isInteger(days) || days < 1)
    throw new RangeError(`"${schedule.every}" is no number of whole days; write for example P1D`);
  const moments: Micros[] = [];
  const start = schedule.from ?? someMonday;
  // One day earlier than the first that can be due: clocks that skip midnight move a moment into the next day.
  const earliest = plusDays(dayOf(zone, after), -1);
  const passed = daysBetween(start, earliest);
  const last = dayOf(zone, until);
  for (
    let day = plusDays(start, Math.max(0, Math.ceil(passed / days)) * days);
    day <= last;
    day = plusDays(day, days)
  ) {
    const moment = localMoment(`${day}T${schedule.at}`, zone);
    if (isDue(moment)) moments.push(moment);
  }
  return moments;
}

/**
 * The moment that `until` of a wait names: the next such time of day, now included, or a local date, whose time is midnight if left out.
 * A date that is over gives a moment in the past.
 */
export function nextMoment(until: string, at: Micros, zone: string): Micros {
  if (!timeOfDay.test(until)) return localMoment(until.includes('T') ? until : `${until}T00:00`, zone);
  const [next] = momentsBetween({ every: 'P1D', at: until }, at - 1, at + 3 * dayLength, zone);
  if (next === undefined) throw new RangeError(`${zone} has no ${until} within three days`);
  return next;
}

/** Whether text is what a wait can be until: 18:00, 2026-12-24 or 2026-12-24T18:00. */
export function isUntil(text: string): boolean {
  if (timeOfDay.test(text)) return true;
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(.+))?$/.exec(text) ?? [];
  if (day === undefined || (time !== undefined && !timeOfDay.test(time))) return false;
  const midnight = new Date(`${day}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

function localMoment(text: string, zone: string): Micros {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall))
    throw new RangeError(`"${text}" is no local date and time; write for example 2026-12-24T18:00`);
  return fromLocalTime(zone, wall * 1000).at;
}
