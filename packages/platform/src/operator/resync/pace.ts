import type { Micros } from '@croupier/contracts';

/** A run that was delayed (by a pause, a dead worker, an operator that does not answer) catches up on at most 1 second. */
const longestCatchUp: Micros = 1_000_000;

export interface Pace {
  /** How many players may be requested now. */
  players: number;
  /** The time that these players use up. The next step starts from it, so that fractions carry over. */
  pacedTo(asked: number): Micros;
}

/** How many players a step may request. Pure. @param pacedTo null if nothing was requested yet */
export function paceOf(perSecond: number, pacedTo: Micros | null, now: Micros): Pace {
  const each = 1_000_000 / perSecond;
  // If the clock was set back, or the run did not advance for long, time counts from now.
  const from = Math.min(now, Math.max(pacedTo ?? now - each, now - Math.max(longestCatchUp, each)));
  const players = Math.floor((now - from) / each + 1e-9);
  return { players, pacedTo: (asked) => (asked < players ? now : Math.round(from + asked * each)) };
}
