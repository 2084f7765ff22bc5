import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads take at most a fortieth of the time, even if the database is slow: after a read of 30 ms, there is no read for 1.2 s.
 * Together with the answers to 50 consoles, this is less than 5 % of what a process can do.
 */
const msPerReadMs = 40;
/**
 * The most read time that can be saved up. After 10 s without a read, reads of a quarter of a second in total begin without a
 * wait. So if two people open the console one after the other, the second one does not wait.
 */
const mostSavedMs = 250;
const longestRestMs = 2_000;

interface Coming<T> {
  read: () => Promise<T>;
  result: Promise<T>;
}

/** The remaining read time of a key at a moment. If it is negative, the next read has to wait. */
interface Budget {
  leftMs: number;
  at: number;
}

/**
 * Reads that callers share. Without this class, 50 open consoles would each read the same overview of 20 statements after each
 * change. All calls that arrive before a read begins get its result. So each result was read after its call arrived,
 * and contains everything that was committed before the call.
 */
export class JoinedReads<T> {
  readonly #coming = new Map<string, Coming<T>>();
  readonly #budgets = new Map<string, Budget>();
  /** The newest read of each key that began, unless it failed. */
  readonly #newest = new Map<string, { result: Promise<T>; beganAt: number }>();
  /** Reads in progress. */
  readonly #reading = new Map<string, Promise<unknown>>();
  readonly #clock: () => number;
  readonly #pause: (ms: number) => Promise<unknown>;

  /** @param clock in milliseconds */
  constructor(clock: () => number = () => performance.now(), wait: (ms: number) => Promise<unknown> = pause) {
    this.#clock = clock;
    this.#pause = wait;
  }

  /**
   * The result of the next read of `key`. The read begins immediately if earlier reads took little time, otherwise within 2 s. A page that
   * shows nothing yet passes `maxAgeMs`, so that it does not wait.
   *
   * @param key identifies what is read; each key that was ever read stays in memory
   * @param read of the calls that share a read, only the newest `read` is called
   * @param maxAgeMs the result of a former read is accepted if that read began at most this long ago. Default: not accepted
   */
  join(key: string, read: () => Promise<T>, maxAgeMs?: number): Promise<T> {
    const newest = this.#newest.get(key);
    if (newest !== undefined && maxAgeMs !== undefined && this.#clock() - newest.beganAt <= maxAgeMs)
      return newest.result;
    const coming = this.#coming.get(key);
    if (coming !== undefined) {
      coming.read = read;
      return coming.result;
    }
    // The read begins in a later turn of the event loop, after this entry is stored, so that other calls can join it.
    const next: Coming<T> = { read, result: this.#next(key, () => next.read()) };
    this.#coming.set(key, next);
    return next.result;
  }

  async #next(key: string, read: () => Promise<T>): Promise<T> {
    const before = this.#reading.get(key);
    // A read that hangs delays the next one at most by the longest rest.
    if (before !== undefined) await Promise.race([before.catch(() => {}), this.#pause(longestRestMs)]);
    const restMs = Math.min(-this.#left(key) * msPerReadMs, longestRestMs);
    await (restMs > 0 ? this.#pause(restMs) : null);
    this.#coming.delete(key);
    const startedAt = this.#clock();
    const left = this.#left(key);
    const reading = read();
    this.#reading.set(key, reading);
    const newest = { result: reading, beganAt: startedAt };
    this.#newest.set(key, newest);
    try {
      return await reading;
    } catch (error) {
      if (this.#newest.get(key) === newest) this.#newest.delete(key);
      throw error;
    } finally {
      const ended = this.#clock();
      const leftMs = Math.max(left - (ended - startedAt), -longestRestMs / msPerReadMs);
      this.#budgets.set(key, { leftMs, at: ended });
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    }
  }

  /** Milliseconds of reads that may begin now. */
  #left(key: string): number {
    const { leftMs, at } = this.#budgets.get(key) ?? { leftMs: mostSavedMs, at: 0 };
    return Math.min(leftMs + (this.#clock() - at) / msPerReadMs, mostSavedMs);
  }
}
