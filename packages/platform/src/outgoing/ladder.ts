/*
 * How long to wait before the next try: a table of condition -> waits, never ifs.
 *
 * The n-th try in a row that ended with a condition takes the n-th wait of its row, and the last wait stands for all that follow. What
 * the other side asked for (Retry-After) is a lower limit.
 */
const second = 1_000;
const minute = 60 * second;

/** In milliseconds, for the first, second, third, ... try. */
export type Waits = readonly number[];

/** The network, or machines of the other side: usually short. After a long outage the last wait is the age of what comes late. */
export const passing: Waits = [second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute];

/** Nothing changes until a person does something, such as correcting a password. */
export const untilSomebodyActs: Waits = [30 * second, minute, 5 * minute, 15 * minute];

/** Shares of a wait by which it may be shorter or longer, so that what failed together does not come back together. */
export const usualJitter = 0.1;

/** @param tries made so far: 1, 2, 3, ... @param random in [0, 1) @returns whole milliseconds */
export function waitOf(waits: Waits, tries: number, random: number, jitter = usualJitter): number {
  const wait = waits[Math.min(tries, waits.length) - 1] ?? 0;
  return Math.round(wait * (1 - jitter + 2 * jitter * random));
}

export class Ladder<Condition extends string> {
  readonly #table: Readonly<Record<Condition, Waits>>;
  readonly #jitter: number;

  /** @param options `jitter`: default 0.1 */
  constructor(table: Readonly<Record<Condition, Waits>>, { jitter = usualJitter }: { jitter?: number } = {}) {
    this.#table = table;
    this.#jitter = jitter;
  }

  /** Conditions of the table. */
  get conditions(): Condition[] {
    return Object.keys(this.#table) as Condition[];
  }

  /** How many waits the condition has before its last one repeats. */
  stepsOf(condition: Condition): number {
    return this.#table[condition].length;
  }

  /** @param tries in a row that ended so, this one included: 1, 2, 3, ... @param random in [0, 1) @returns whole milliseconds */
  delayMs(
    condition: Condition,
    tries: number,
    { random, retry_after_ms }: { random: number; retry_after_ms?: number | null | undefined },
  ): number {
    return Math.max(waitOf(this.#table[condition], tries, random, this.#jitter), retry_after_ms ?? 0);
  }
}

const defaultPauseMs = second;
const maxPauseMs = minute;

/** How long a whole endpoint is left alone that answered "too many requests". */
export function pauseMs(retryAfterMs: number | undefined): number {
  return Math.min(retryAfterMs ?? defaultPauseMs, maxPauseMs);
}
