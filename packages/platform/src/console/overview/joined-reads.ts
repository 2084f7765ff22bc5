import { setTimeout as pause } from 'node:timers/promises';

/** A read of 30 ms is followed by 600 ms without one: reads take at most a twentieth of the time, whatever the database is doing. */
const restPerRead = 20;
const longestRestMs = 2_000;

interface Coming<T> {
  read: () => Promise<T>;
  result: Promise<T>;
}

/**
 * Reads that callers share: 50 open consoles ask for the same overview of 20 statements after each change. Calls that arrive before a read
 * begins get its one result. So each result was read after its call arrived, and shows everything that was committed before.
 */
export class JoinedReads<T> {
  readonly #coming = new Map<string, Coming<T>>();
  /** When the next read of a key may begin. */
  readonly #restUntil = new Map<string, number>();
  readonly #clock: () => number;
  readonly #pause: (ms: number) => Promise<unknown>;

  /** @param clock in milliseconds */
  constructor(clock: () => number = () => performance.now(), wait: (ms: number) => Promise<unknown> = pause) {
    this.#clock = clock;
    this.#pause = wait;
  }

  /**
   * The result of the next read of `key`. It begins at once, or up to 2 s after the end of the one before: the longer that one took, the
   * later.
   *
   * @param key identifies what is read; each key that was ever read stays in memory
   * @param read is called if it is the newest when the read begins
   */
  join(key: string, read: () => Promise<T>): Promise<T> {
    const coming = this.#coming.get(key);
    if (coming !== undefined) {
      coming.read = read;
      return coming.result;
    }
    // The read begins in a later turn, when this one is stored and others may have joined it.
    const next: Coming<T> = { read, result: this.#next(key, () => next.read()) };
    this.#coming.set(key, next);
    return next.result;
  }

  async #next(key: string, read: () => Promise<T>): Promise<T> {
    const waitMs = (this.#restUntil.get(key) ?? Number.NEGATIVE_INFINITY) - this.#clock();
    await (waitMs > 0 ? this.#pause(waitMs) : null);
    this.#coming.delete(key);
    const begun = this.#clock();
    // Until its end is known, as if it took long.
    this.#restUntil.set(key, begun + longestRestMs);
    try {
      return await read();
    } finally {
      const ended = this.#clock();
      this.#restUntil.set(key, ended + Math.min((ended - begun) * restPerRead, longestRestMs));
    }
  }
}
