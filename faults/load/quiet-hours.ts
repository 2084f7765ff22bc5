import { localTime } from './local-time.ts';

/*
 * Some players live in a time zone in which the quiet hours of the brand include the start of the load. It is another time of day where all
 * other players live.
 */

export interface Quiet {
  /** Settings of the brand. */
  settings: { quiet_hours: { from: string; to: string }; country_time_zones: Record<string, string> };
  /** In milliseconds since the epoch. */
  ends_at: number;
}

/** No other player of the sandbox lives there. */
export const quietCountry = 'IS';
const zone = 'Pacific/Honolulu';
/** The installation and the first players take less, so that some of the load is within the quiet hours. */
const leastMs = 45_000;

/** Quiet hours that have begun, and end at a full minute. */
export function quietHoursNow(): Quiet {
  const ends_at = Math.ceil((Date.now() + leastMs) / 60_000) * 60_000;
  const timeOfDay = (at: number) => localTime(at, zone).slice(-5);
  return {
    settings: {
      quiet_hours: { from: timeOfDay(Date.now()), to: timeOfDay(ends_at) },
      country_time_zones: { [quietCountry]: zone },
    },
    ends_at,
  };
}

/** @returns whether the nth player lives where it is quiet. Such a player is neither excluded nor withdraws a consent */
export const isQuiet = (n: number) => n % 8 === 2;
