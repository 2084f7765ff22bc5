import { dayOf, type Micros } from '@croupier/contracts';

/** A day of the ledger. */
export const day: Micros = 86_400_000_000;

/**
 * An event this much older than its arrival is late: it is noted how far back it reaches, so that facts it may touch are not
 * removed while a rebuild could meet it again. Retries come within hours.
 */
export const lateAfter: Micros = 2 * day;

/**
 * How far an event may reach behind its own timestamp: events of one round lie up to 72 h apart, and a session may go on for
 * days. Facts are removed only when they are this much older than the oldest event that may come, or be applied again.
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
 * True for an event that is older than the history of its brand: whether its fact was there before can no longer be told, so it
 * has no effect until a person imports it. Measured from its receipt, so it is the same whenever derive comes to it.
 *
 * @param historyDays the brand's setting
 * @param prunedTo facts before this are gone; it lies behind the history unless the setting was raised lately
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
