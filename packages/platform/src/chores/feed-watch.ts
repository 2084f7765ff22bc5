import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Service } from '../service.ts';
import { type FeedMeasures, nextShare } from './feed-share.ts';
import { Rounds } from './rounds.ts';

const pollMs = 250;
/** The event loop is observed by a timer. `monitorEventLoopDelay` of Node misses what blocks the loop right after a reset. */
const tickMs = 10;
/** The longest rest. It is short, so that a stop does not have to wait for long. */
const longestRestMs = 2_000;
/**
 * Below this share, work on many players is reported as slowed. Computations of segments and starts of campaigns never use a
 * larger share.
 */
const half = 0.5;

/** Work on many players calls this between two portions. */
export interface FeedRest {
  /** True if the work gets less than half of the time. */
  readonly isSlowed: boolean;
  /**
   * How long to rest after a portion that took `workMs`.
   *
   * @param mostShare the largest share of time that the work uses, also when the feed is free. With the default, 1, there is no rest
   *   when the feed is free
   */
  restMs(workMs: number, mostShare?: number): number;
}

export interface FeedWatchOptions {
  pool: Pool;
  log: Logger;
}

/**
 * Measures the load of the feed every 250 ms, and returns how long work on many players must rest (feed-share.ts). It
 * measures in the process that works, so workers on several machines slow down separately.
 */
export class FeedWatch implements Service, FeedRest {
  readonly #pool: Pool;
  readonly #rounds: Rounds;
  #ticks: NodeJS.Timeout | undefined;
  #tickedAt = 0;
  #loopMs = 0;
  #batchMs = 0;
  #share = 1;

  constructor({ pool, log }: FeedWatchOptions) {
    this.#pool = pool;
    this.#rounds = new Rounds({
      runOnce: () => this.runOnce(),
      pollMs,
      log,
      words: {
        away: 'the load of the feed is not measured: the database is unavailable',
        again: 'the load of the feed is measured again',
        failed: 'measuring the load of the feed failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    this.observeLoop();
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    clearInterval(this.#ticks);
    this.#ticks = undefined;
    return this.#rounds.stop();
  }

  /** Records the time in which a batch of events was derived. */
  readonly derived = (ms: number): void => {
    this.#batchMs = Math.max(this.#batchMs, ms);
  };

  get isSlowed(): boolean {
    return this.#share < half;
  }

  restMs(workMs: number, mostShare = 1): number {
    return Math.min(longestRestMs, workMs * (1 / Math.min(this.#share, mostShare) - 1));
  }

  /** Starts to measure how long the event loop is blocked. `start` calls this, too. */
  observeLoop(): void {
    this.#tickedAt = performance.now();
    this.#ticks ??= setInterval(() => {
      const at = performance.now();
      this.#loopMs = Math.max(this.#loopMs, at - this.#tickedAt - tickMs);
      this.#tickedAt = at;
    }, tickMs).unref();
  }

  /** Measures the load, and adjusts the share. */
  async runOnce(): Promise<FeedMeasures> {
    const began = performance.now();
    await this.#pool.query('select');
    const database_ms = performance.now() - began;
    const measures = { batch_ms: this.#batchMs, loop_ms: this.#loopMs, database_ms };
    this.#batchMs = 0;
    this.#loopMs = 0;
    this.#share = nextShare(this.#share, measures).share;
    return measures;
  }
}
