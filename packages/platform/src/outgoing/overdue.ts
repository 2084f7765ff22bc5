import type { Micros } from '@croupier/contracts';

/*
 * Decides which rounds look for rows that have been due for more than a minute.
 *
 * While a long transaction is open, such as a dump, PostgreSQL cannot remove dead index entries. In a queue, all of these are at
 * the start of the index, where every claim begins to read. Five minutes at 500 calls a second leave 300,000 of them, and a
 * claim takes 155 ms. A claim that skips rows due for more than a minute takes 3 ms. So an ordinary round skips them. Only some rounds, and
 * those for a place with a backlog, read from the start.
 */
const freshMs = 60_000;
/** The interval between rounds that read everything. They take at most a tenth of the time. */
const everyMs = 2_000;
const share = 0.1;

export class OverdueTurns {
  /**
   * Places that used up their slots in a round that read from the start. They are read from the start until no overdue
   * row is left.
   */
  readonly #backlogged = new Set<string>();
  #nextAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a monotonic clock @returns whether this round reads all places from the start */
  isTurn(now: number): boolean {
    return now >= this.#nextAt;
  }

  /** The time from which this place is read; undefined to read from the start. */
  since(name: string, at: Micros, isTurn: boolean): Micros | undefined {
    return isTurn || this.#backlogged.has(name) ? undefined : at - freshMs * 1_000;
  }

  /** @param places each with whether it was read from the start, and whether it used up its slots */
  ended(
    places: Iterable<{ name: string; isOverdue: boolean; isFull: boolean }>,
    { isTurn, beganAt, tookMs }: { isTurn: boolean; beganAt: number; tookMs: number },
  ): void {
    if (isTurn) this.#nextAt = beganAt + Math.max(everyMs, tookMs / share);
    for (const { name, isOverdue, isFull } of places) {
      if (isOverdue && isFull) this.#backlogged.add(name);
      else if (isOverdue) this.#backlogged.delete(name);
    }
  }
}
