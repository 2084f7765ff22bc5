import type { Micros } from '@croupier/contracts';
import type { Day } from './ledger.ts';

const dayMs = 86_400_000;

/** The UTC day of a time. */
export function dayOf(at: Micros): Day {
  return new Date(at / 1000).toISOString().slice(0, 10);
}

/** @throws {RangeError} if the text is not a day */
export function startOfDay(day: Day): Micros {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new RangeError(`not a day: ${day}`);
  return at * 1000;
}

export function dayAfter(day: Day): Day {
  return new Date(startOfDay(day) / 1000 + dayMs).toISOString().slice(0, 10);
}
