import { dayOf, type Micros } from '@croupier/contracts';

/** The length of a ledger day. */
export const day: Micros = 86_400_000_000;

/**
 * An event that is this much older than its arrival is late. How far back it reaches is recorded, so that facts it may
 * touch are not removed while a rebuild could apply it again. Retries arrive within hours.
 */
export const lateAfter: Micros = 2 * day;

/**
 * How far an event may reach before its own timestamp: events of one round are up to 72 h apart, and a session may last
 * for days. Facts are removed only if they are older by this than the oldest event that may arrive or be applied again.
 */
export const reach: Micros = 14 * day;

export interface Timing {
  /** The event's own timestamp. */
  at: Micros;
  received_at: Micros;
}

export function isLate({ at, received_at }: Timing): boolean {
  return received_at - at > lateAfter;
}

/**
 * True for an event that is older than the history of its brand. It can no longer be determined whether its fact
 * already existed, so it has no effect until a person imports it. The age is measured from the receipt, so the result
 * does not depend on when derive reads it.
 *
 * @param historyDays the brand's setting
 * @param prunedTo facts before this time are removed; it is before the history unless the setting was raised recently
 */
export function isTooOld({ at, received_at }: Timing, historyDays: number, prunedTo: Micros | undefined): boolean {
  return at < received_at - historyDays * day || (prunedTo !== undefined && at < prunedTo + reach);
}

/** YYYY-MM-DD in UTC: the name of a ledger day. */
export function dayName(at: Micros): string {
  return dayOf('UTC', at);
}

export function startOf(name: string): Micros {
  return Date.parse(`${name}T00:00:00Z`) * 1000;
}
