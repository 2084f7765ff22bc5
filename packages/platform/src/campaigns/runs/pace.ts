/** Fewest and most runs that begin, or continue after a pause, in one round. */
export const fewestBegun = 20;
const mostBegun = 500;
/** Events wait for the round before theirs, so these are the bounds of what a start adds to their latency. */
const shortMs = 60;
const longMs = 120;

/**
 * Decides how many runs begin in one round.
 *
 * A round has a fixed cost of some 30 statements, so 20 runs at a time make a start of a million take an hour. With many runs at
 * a time an event waits long for its own round. So the number follows the time that rounds take: it doubles while full rounds
 * are short, and halves when one is long. When the feed or PostgreSQL is busy, rounds take longer and a start slows down.
 */
export class Pace {
  #limit = fewestBegun;

  get limit(): number {
    return this.#limit;
  }

  /** Records a round in which `begun` runs began. A round with fewer than the limit says nothing about a larger limit. */
  record(begun: number, ms: number): void {
    if (ms > longMs && begun > 0) this.#limit = Math.max(fewestBegun, Math.floor(this.#limit / 2));
    else if (ms < shortMs && begun >= this.#limit) this.#limit = Math.min(mostBegun, this.#limit * 2);
  }
}
