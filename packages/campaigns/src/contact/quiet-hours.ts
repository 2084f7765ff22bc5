import type { Micros } from '@croupier/contracts';
import { zoneOffsetMinutes } from '@croupier/contracts/time';

/**
 * The brand's setting: two times of the player's day as HH:MM. The start is included, the end is not. If they are equal, there
 * are no quiet hours.
 */
export interface QuietHours {
  from: string;
  to: string;
}

/** Quiet hours, or null if there are none: if the beginning is empty, or equal to the end. */
export function quietHoursOf({ from, to }: QuietHours): QuietHours | null {
  return from === '' || from === to ? null : { from, to };
}

const minute = 60_000_000;
const quarter = 15 * minute;
const day = 24 * 60 * minute;

/**
 * The end of the quiet hours at the given time; null if it is not in quiet hours.
 *
 * The local time of the zone decides. If clocks skip the end, the quiet hours end at the skip. If the end is in an hour that occurs
 * twice, the clock shows quiet hours twice, and both count.
 */
export function quietUntil(hours: QuietHours, at: Micros, zone: string): Micros | null {
  const from = timeOfDay(hours.from);
  const to = timeOfDay(hours.to);
  const offset = offsetAt(zone, at);
  const wall = at + offset;
  const time = ((wall % day) + day) % day;
  const isQuiet = from <= to ? time >= from && time < to : time >= from || time < to;
  if (!isQuiet) return null;
  const endsTomorrow = time >= to;
  const end = wall - time + to + (endsTomorrow ? day : 0) - offset;
  const change = clockChange(zone, at, end);
  return change === undefined ? end : (quietUntil(hours, change, zone) ?? change);
}

/** The first time after `at` and up to `end` at which the zone has another offset. Offsets change on quarter hours. */
function clockChange(zone: string, at: Micros, end: Micros): Micros | undefined {
  const offset = offsetAt(zone, at);
  if (offsetAt(zone, end) === offset) return undefined;
  let moment = Math.floor(at / quarter) * quarter + quarter;
  while (moment < end && offsetAt(zone, moment) === offset) moment += quarter;
  return Math.min(moment, end);
}

function offsetAt(zone: string, at: Micros): Micros {
  return zoneOffsetMinutes(zone, at) * minute;
}

/** @returns microseconds since midnight. */
function timeOfDay(text: string): Micros {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) throw new RangeError(`"${text}" is not a time of day; write HH:MM, for example 22:00`);
  return (Number(hours) * 60 + Number(minutes)) * minute;
}
