import type { Micros } from '@croupier/contracts';

/*
 * Which rounds look for what has been due for long.
 *
 * A long transaction elsewhere (a dump) keeps dead index entries from being cleaned, and those of a queue all lie at its head, where every
 * claim begins to read. Five minutes of that at 500 calls a second leave 300,000 of them: 155 ms per claim. A claim that begins a minute
 * back takes 3 ms. So an ordinary round begins there, and only some rounds, or those for a place with a backlog, read from the start.
 */
const freshMs = 60_000;
/** A round looks for everything so often, and at most a tenth of the time. */
const everyMs = 2_000;
const share = 0.1;

export class OverdueTurns {
  /** Places that used up their slots when the overdue were asked for: they are asked for again until none is left. */
  readonly #backlogged = new Set<string>();
  #nextAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never steps @returns whether this round looks at everything, of all places */
  isTurn(now: number): boolean {
    return now >= this.#nextAt;
  }

  /** How far back this place is read. Undefined: from the start. */
  since(name: string, at: Micros, isTurn: boolean): Micros | undefined {
    return isTurn || this.#backlogged.has(name) ? undefined : at - freshMs * 1_000;
  }

  /** @param places with whether they read from the start, and whether they used up their slots */
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
