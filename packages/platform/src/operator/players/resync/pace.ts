import type { Micros } from '@croupier/contracts';

/** A run that was held up (a pause, a dead worker, an operator that does not answer) does not make up for it at once. */
const longestCatchUp: Micros = 1_000_000;

export interface Pace {
  /** Players that may be asked for now. */
  players: number;
  /** Time that they use up: the next step counts from here, so that fractions are not lost. */
  pacedTo(asked: number): Micros;
}

/** How many players a step may ask for. Pure. @param pacedTo null: nothing was asked for yet. */
export function paceOf(perSecond: number, pacedTo: Micros | null, now: Micros): Pace {
  const each = 1_000_000 / perSecond;
  // A clock that was set back, like one that stood still, counts from now.
  const from = Math.min(now, Math.max(pacedTo ?? now - each, now - Math.max(longestCatchUp, each)));
  const players = Math.floor((now - from) / each + 1e-9);
  return { players, pacedTo: (asked) => (asked < players ? now : Math.round(from + asked * each)) };
}
