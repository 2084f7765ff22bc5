import type { Micros } from '@croupier/contracts';

export interface Due {
  due_at: Micros;
  rough: boolean;
}

/**
 * How the due time of one player and version changes after an evaluation. Pure.
 *
 * A due time may be too early, but never too late. So an existing due time is kept if it is in the future and before the new one. Otherwise
 * every bet of a player would cause a write, because each bet postpones the moment at which "no bet for a week" becomes true. When the kept
 * time is due, the evaluation finds no change and sets the next due time.
 */
export function dueAfter(held: Due | undefined, holdsUntil: Micros | null, at: Micros): 'keep' | 'delete' | Due {
  if (holdsUntil === null) return isStillAhead(held, at) || held === undefined ? 'keep' : 'delete';
  if (isStillAhead(held, at) && held.due_at <= holdsUntil) return 'keep';
  return { due_at: holdsUntil, rough: false };
}

/** Whether an exact due time is in the future. */
export function isStillAhead(held: Due | undefined, at: Micros): held is Due {
  return held !== undefined && !held.rough && held.due_at > at;
}
