/*
 * Evaluates one reading of the database's clock, and carries it forward. Pure.
 *
 * The time in between comes from a clock that never steps, so a step of the process's own clock is visible immediately,
 * without another reading.
 */

/** If the clocks differ by more than this, people are warned, because this process stores wrong times. */
const apartMs = 5_000;
/** If the clocks differ by more than this, the process could destroy data, because its clock determines what is old and what is due. */
const wrongMs = 60_000;

/** `unknown`: not compared yet. `apart`: more than 5 s from the database's. `wrong`: more than 60 s. */
export type ClockAgreement = 'unknown' | 'agrees' | 'apart' | 'wrong';

export interface ClockReference {
  database_ms: number;
  /** When the database answered, in milliseconds of the clock that never steps. */
  at_ms: number;
  /** Half of the round trip: the database's time was read somewhere within it. */
  error_ms: number;
}

export function referenceOf(databaseMs: number, trip: { sentMs: number; answeredMs: number }): ClockReference {
  const error_ms = (trip.answeredMs - trip.sentMs) / 2;
  return { database_ms: databaseMs, at_ms: trip.sentMs + error_ms, error_ms };
}

export function databaseMsAt(reference: ClockReference, atMs: number): number {
  return reference.database_ms + (atMs - reference.at_ms);
}

/**
 * Keeps the former reference unless the new one is more exact or contradicts it. So a slow answer does not move the
 * time.
 */
export function betterOf(former: ClockReference | undefined, fresh: ClockReference): ClockReference {
  if (former === undefined || fresh.error_ms < former.error_ms) return fresh;
  const difference = Math.abs(databaseMsAt(former, fresh.at_ms) - fresh.database_ms);
  return difference > fresh.error_ms ? fresh : former;
}

/** @param offsetMs how far the process is ahead of the database; undefined before the first reading */
export function agreementOf(offsetMs: number | undefined): ClockAgreement {
  if (offsetMs === undefined) return 'unknown';
  const distance = Math.abs(offsetMs);
  if (distance > wrongMs) return 'wrong';
  return distance > apartMs ? 'apart' : 'agrees';
}
