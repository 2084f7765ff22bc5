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

function localMoment(text: string, zone: string): Micros {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall))
    throw new RangeError(`"${text}" is no local date and time; write for example 2026-12-24T18:00`);
  return fromLocalTime(zone, wall * 1000).at;
}
