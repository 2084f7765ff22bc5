/** Minimum and maximum number of runs that begin, or continue after a pause, in one round. */
export const fewestBegun = 20;
const mostBegun = 500;
/**
 * An event waits until the previous round ends. So these times limit how much a start adds to the latency of events.
 */
const shortMs = 60;
const longMs = 120;

/**
 * Decides how many runs begin in one round.
 *
 * A round has a fixed cost of some 30 statements. With 20 runs per round, a start for a million players would take an
 * hour. With many runs per round, events wait a long time for their round. So the number depends on the time that
 * rounds take: it doubles while full rounds are short, and halves when one is long. When the feed or PostgreSQL is
 * busy, rounds take longer, and so the start slows down.
 */
export class Pace {
  #limit = fewestBegun;

  get limit(): number {
    return this.#limit;
  }

  /**
   * Records a round in which `begun` runs began. A round with fewer runs than the limit never raises the limit, because
   * it does not show how long a full round takes.
   */
  record(begun: number, ms: number): void {
    if (ms > longMs && begun > 0) this.#limit = Math.max(fewestBegun, Math.floor(this.#limit / 2));
    else if (ms < shortMs && begun >= this.#limit) this.#limit = Math.min(mostBegun, this.#limit * 2);
  }
}
