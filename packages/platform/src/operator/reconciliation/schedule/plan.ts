import { hash } from 'node:crypto';
import { fromLocalTime, type Micros, zoneOffsetMinutes } from '@croupier/contracts';

/*
 * When a field of a brand is due: once a night, at a fixed time within the window, so that nine fields of many brands are
 * spread over it. The time is a wall-clock time in the brand's zone. If the clock skips that time in a night, the run is due an hour later.
 * If the time occurs twice, the first one counts (docs/reference/decisions.md 1, "Timestamps").
 */
export interface NightlyPlan {
  time_zone: string;
  /** Full hours of the brand's day. An end before the start lies on the next day; the same hour means all 24. */
  from_hour: number;
  until_hour: number;
}

const hour: Micros = 3_600_000_000;
const day = 24 * hour;

/** A number in [0, 1), always the same for the same brand and field. */
export function shareOf(brandCode: string, field: string): number {
  return hash('sha256', `${brandCode}/${field}`, 'buffer').readUInt32BE(0) / 2 ** 32;
}

/** The first time of the plan after `after`. */
export function nextRunAfter(after: Micros, plan: NightlyPlan, share: number): Micros {
  const hours = (plan.until_hour - plan.from_hour + 24) % 24 || 24;
  const ofDay = Math.floor(((plan.from_hour + share * hours) * hour) / 1_000_000) * 1_000_000;
  const wall = after + zoneOffsetMinutes(plan.time_zone, after) * 60_000_000;
  const today = Math.floor(wall / day) * day;
  for (const offset of [-1, 0, 1, 2]) {
    const { at } = fromLocalTime(plan.time_zone, today + offset * day + ofDay);
    if (at > after) return at;
  }
  // Not reached: two days ahead is later than any planned time, in every zone.
  return after + day;
}

/** Waits after a failed run before the field is requested again; after these, the next night. */
const retryAfter = [15 * 60_000_000, hour, 3 * hour];

/** @param failures consecutive failed runs, including the last one */
export function dueAfterFailure(now: Micros, failures: number, nextNight: Micros): Micros {
  const wait = retryAfter[failures - 1];
  return wait === undefined ? nextNight : Math.min(now + wait, nextNight);
}
