import type { Micros } from '@croupier/contracts';

export interface Due {
  due_at: Micros;
  rough: boolean;
}

/**
 * What becomes of the due time of one player and version after an evaluation. Pure.
 *
 * A due time may be too early, never too late. So one that lies ahead and before the new moment stays: a player who plays all day moves
 * "no bet for a week" with every bet, and would write a row each time. When it comes, the evaluation finds nothing and sets the next.
 */
export function dueAfter(held: Due | undefined, holdsUntil: Micros | null, at: Micros): 'keep' | 'delete' | Due {
  const stands = held !== undefined && !held.rough && held.due_at > at;
  if (holdsUntil === null) return stands || held === undefined ? 'keep' : 'delete';
  if (stands && held.due_at <= holdsUntil) return 'keep';
  return { due_at: holdsUntil, rough: false };
}
