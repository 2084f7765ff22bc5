/*
 * What one look at the database's clock says, and how it is carried forward. Pure.
 *
 * The time in between comes from a clock that never steps, so a step of the process's own clock shows at once, and not with the next look.
 */

/** From this on a person is warned: times of this process are wrong in what it stores. */
const apartMs = 5_000;
/** From this on the process may destroy data: what is old and what is due depends on its clock. */
const wrongMs = 60_000;

/** `unknown`: not compared yet. `apart`: more than 5 s from the database's. `wrong`: more than 60 s. */
export type ClockAgreement = 'unknown' | 'agrees' | 'apart' | 'wrong';

export interface ClockReference {
  database_ms: number;
  /** When the database said so, in milliseconds of the clock that never steps. */
  at_ms: number;
  /** Half of the round trip: the database's time was taken somewhere within it. */
  error_ms: number;
}

export function referenceOf(databaseMs: number, trip: { sentMs: number; answeredMs: number }): ClockReference {
  const error_ms = (trip.answeredMs - trip.sentMs) / 2;
  return { database_ms: databaseMs, at_ms: trip.sentMs + error_ms, error_ms };
}

export function databaseMsAt(reference: ClockReference, atMs: number): number {
  return reference.database_ms + (atMs - reference.at_ms);
}

/** The former one while the new one is no more exact and does not contradict it: so a slow answer moves no time. */
export function betterOf(former: ClockReference | undefined, fresh: ClockReference): ClockReference {
  if (former === undefined || fresh.error_ms < former.error_ms) return fresh;
  const difference = Math.abs(databaseMsAt(former, fresh.at_ms) - fresh.database_ms);
  return difference > fresh.error_ms ? fresh : former;
}

/** @param offsetMs how far the process is ahead of the database; undefined before the first look */
export function agreementOf(offsetMs: number | undefined): ClockAgreement {
  if (offsetMs === undefined) return 'unknown';
  const distance = Math.abs(offsetMs);
  if (distance > wrongMs) return 'wrong';
  return distance > apartMs ? 'apart' : 'agrees';
}
