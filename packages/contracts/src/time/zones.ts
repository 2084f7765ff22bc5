import { IANAZone } from 'luxon';
import type { Micros } from '../values.ts';
import { dayNamed } from './days.ts';

/**
 * Time zones: the calendar day of an instant for a brand, and the instant of a local time without a zone.
 *
 * The zone rules come from the runtime's own tz data through luxon. One query takes about 2 microseconds, and derive
 * needs several per event. So answers are cached per quarter of an hour. This is exact, because every change of offset
 * since 2000 happens on a quarter of an hour in UTC.
 */
const quarter = 15 * 60_000_000;
const minute = 60_000_000;
const day = 24 * 60 * minute;

/** Quarters cached per zone. A live feed uses a few hundred; an import of old events uses many. */
const maxQuarters = 20_000;

class Zone {
  readonly #zone: IANAZone;
  readonly #offsets = new Map<number, number>();

  constructor(zone: IANAZone) {
    this.#zone = zone;
  }

  offsetAt(at: Micros): number {
    const slot = Math.floor(at / quarter);
    const known = this.#offsets.get(slot);
    if (known !== undefined) return known;
    const offset = this.#zone.offset((slot * quarter) / 1000);
    if (this.#offsets.size >= maxQuarters) this.#offsets.clear();
    this.#offsets.set(slot, offset);
    return offset;
  }
}

const zones = new Map<string, Zone>();

function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  if (!isZone(name)) throw new RangeError(`"${name}" is not a time zone; use an IANA name, such as Europe/Malta`);
  const zone = new Zone(IANAZone.create(name));
  zones.set(name, zone);
  return zone;
}

export function isZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/**
 * How far `zone` is ahead of UTC at an instant, in minutes (negative west of Greenwich). Throws for an unknown zone.
 */
export function zoneOffsetMinutes(zone: string, at: Micros): number {
  return zone === 'UTC' ? 0 : zoneNamed(zone).offsetAt(at);
}

/** The calendar day of an instant in `zone`, as YYYY-MM-DD. */
export function dayOf(zone: string, at: Micros): string {
  return dayNamed(Math.floor((at + zoneOffsetMinutes(zone, at) * minute) / day));
}

export interface LocalTime {
  at: Micros;
  flag?: 'ambiguous_local_time' | 'skipped_local_time';
}

/**
 * The instant of a local time in `zone`. `wall` is the local time as if it were UTC.
 *
 * If a local time occurs twice, it means the first instant. If it does not exist, it moves forward by the gap (02:30
 * becomes 03:30), so it is read with the old offset (docs/reference/decisions.md 1, "Timestamps").
 */
export function fromLocalTime(zone: string, wall: Micros): LocalTime {
  if (zone === 'UTC') return { at: wall };
  const rules = zoneNamed(zone);
  const before = rules.offsetAt(wall - day) * minute;
  const after = rules.offsetAt(wall + day) * minute;
  if (before === after) return { at: wall - before };
  const early = wall - before;
  const late = wall - after;
  const earlyHolds = rules.offsetAt(early) * minute === before;
  const lateHolds = rules.offsetAt(late) * minute === after;
  if (earlyHolds && lateHolds) return { at: Math.min(early, late), flag: 'ambiguous_local_time' };
  if (earlyHolds) return { at: early };
  if (lateHolds) return { at: late };
  return { at: early, flag: 'skipped_local_time' };
}
