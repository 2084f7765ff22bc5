import type { EventKind, Micros } from '@croupier/contracts';

/** Why a player entered or left. `at` is when the cause happened, which is never later than the transition. */
export type Cause =
  /** An event of the ledger, with the name that the journal uses for it. */
  | { type: 'event'; id: string; kind: EventKind; at: Micros }
  /** Only the clock: a window moved, or an hour or a day ended. */
  | { type: 'time'; at: Micros }
  /** A change of details, consents or blocks by the operator, the player or staff. */
  | { type: 'record'; source: string; at: Micros }
  /** Protection began or ended. */
  | { type: 'protection'; source: string; at: Micros }
  /** A message of the platform was sent, shown, read, clicked or closed, or ended. */
  | { type: 'message'; id: string; at: Micros }
  /** An offer was made to the player, claimed, or ended. */
  | { type: 'offer'; id: string; at: Micros }
  | { type: 'tag'; tag: string; by: string; at: Micros }
  /** Another segment that the rule refers to. */
  | { type: 'segment'; code: string; at: Micros }
  /** A new version. */
  | { type: 'rule'; version: number; at: Micros }
  /** A recomputation found a difference, or a rebuild replaced facts and totals. */
  | { type: 'recomputation'; at: Micros };

/** A cause as stored with news. */
export interface News {
  cause: Cause;
  /**
   * True for an event older than the brand's trigger age, and for consequences of a silent transition: only membership
   * changes.
   */
  silent: boolean;
}

/**
 * Selects the cause to record if a change has several: actions before the clock, causes that are not silent before
 * silent ones, and of several equal ones the latest. If a silent cause and the clock coincide, the silent cause is recorded, because
 * an import at midnight must not start campaigns.
 */
export function leadingCause(news: readonly News[]): News | undefined {
  return news.reduce<News | undefined>((best, one) => (best === undefined || leads(one, best) ? one : best), undefined);
}

function leads(one: News, other: News): boolean {
  if ((one.cause.type === 'time') !== (other.cause.type === 'time')) return other.cause.type === 'time';
  if (one.silent !== other.silent) return other.silent;
  return one.cause.at > other.cause.at;
}

/**
 * The clocks of operators and of our other machines may be ahead. But a transition must never be earlier than its cause.
 */
export function notLaterThan(at: Micros, { cause, silent }: News): News {
  return { cause: { ...cause, at: Math.min(cause.at, at) }, silent };
}
