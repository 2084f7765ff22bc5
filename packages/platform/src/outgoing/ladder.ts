/*
 * How long to wait before the next try: a table of condition -> waits, instead of ifs.
 *
 * The n-th consecutive try that ended with a condition takes the n-th wait of its row. Later tries repeat the last
 * wait. A Retry-After of the other side is a lower limit.
 */
const second = 1_000;
const minute = 60 * second;

/** The waits after the first, second, third, ... try, in milliseconds. */
export type Waits = readonly number[];

/**
 * For failures of the network or of the other system's machines. They usually end soon. After a long outage, a call may be late
 * by up to the last wait.
 */
export const passing: Waits = [second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute];

/** For failures that last until a person acts, for example corrects a password. */
export const untilPersonActs: Waits = [30 * second, minute, 5 * minute, 15 * minute];

/** Fraction by which a wait may be shorter or longer, so that calls that failed together do not retry together. */
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

  /**
   * How many consecutive tries ended in the same way, including the one that ended with `condition`. Tries end in the same way
   * if their conditions have the same waits. So an endpoint that alternates between unreachable and too busy is called less and
   * less often. The comparison ignores a first wait of 0. Any other reason ends the sequence: if every failure counted, a password
   * that is refused once after a short outage would cause a wait of 15 minutes instead of 30 seconds.
   *
   * @param before the stored state: why the item waits, and the previous result of this function
   */
  triesAfter(before: { reason: string | null; tries: number }, condition: Condition): number {
    const { reason, tries } = before;
    if (reason === null || !Object.hasOwn(this.#table, reason)) return 1;
    return areAlike(this.#table[reason as Condition], this.#table[condition]) ? tries + 1 : 1;
  }

  /** Whether the condition lasts until a person acts. */
  needsPerson(condition: Condition): boolean {
    return this.#table[condition] === untilPersonActs;
  }

  /** How many waits the condition has. The last one repeats. */
  stepsOf(condition: Condition): number {
    return this.#table[condition].length;
  }

  /**
   * @param tries consecutive tries that ended with this condition, or with another condition with the same waits, including the current
   * try: 1, 2, 3, ... @param random in [0, 1) @returns whole milliseconds
   */
  delayMs(
    condition: Condition,
    tries: number,
    { random, retry_after_ms }: { random: number; retry_after_ms?: number | null | undefined },
  ): number {
    return Math.max(waitOf(this.#table[condition], tries, random, this.#jitter), retry_after_ms ?? 0);
  }
}

/** Whether two rows have the same waits, apart from a first wait of 0. */
function areAlike(one: Waits, other: Waits): boolean {
  if (one === other) return true;
  const [waits, others] = [one, other].map((row) => (row[0] === 0 ? row.slice(1) : row)) as [Waits, Waits];
  return waits.length === others.length && waits.every((wait, place) => wait === others[place]);
}

const defaultPauseMs = second;
const maxPauseMs = minute;

/** How long an endpoint is paused after it answered "too many requests": 1 second by default, at most 1 minute. */
export function pauseMs(retryAfterMs: number | undefined): number {
  return Math.min(retryAfterMs ?? defaultPauseMs, maxPauseMs);
}
