import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Rounds } from '../../../chores/index.ts';
import type { Service } from '../../../service.ts';
import { bringBackDue, type DueTimes, moveDue } from './due-times.ts';
import { longestWaitMs } from './retry.ts';

/*
 * Due times are times of the database's clock. If that clock is set forward, retries come early, which does no harm. If it is
 * set back by a day, players would wait a day longer. This chore compares the clock with a monotonic one. After a step back,
 * it moves the due times of everything that waits back by the same amount. A step may also have happened before the start.
 * So at the start, rows whose wait is longer than the maximum become due. (These statements read whole tables, so they run
 * on no other occasion.)
 */
const pollMs = 60_000;
const toleratedStepMs = 5_000;
const ownDueTimes: readonly DueTimes[] = [
  { table: 'player_sync', column: 'due_at' },
  { table: 'protection_delivery', column: 'due_at' },
];

export class ClockWatch implements Service {
  #pool: Pool;
  #log: Logger;
  #monotonic: () => number;
  #dueTimes: readonly DueTimes[];
  #offset: number | undefined;
  readonly #rounds: Rounds;

  /** @param options `dueTimes`: queues of other stages */
  constructor(options: { pool: Pool; log: Logger; monotonic?: () => number; dueTimes?: readonly DueTimes[] }) {
    this.#dueTimes = [...ownDueTimes, ...(options.dueTimes ?? [])];
    this.#pool = options.pool;
    this.#log = options.log;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#rounds = new Rounds({
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: "steps of the database's clock are not checked: the database is unavailable",
        again: "steps of the database's clock are checked again",
        failed: "checking the database's clock failed; will retry in 1 min",
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce(): Promise<{ moved: number }> {
    const { rows } = await this.#pool.query<{ ms: number }>('select extract(epoch from now())::float8 * 1000 as ms');
    const offset = (rows[0]?.ms ?? 0) - this.#monotonic();
    const steppedBackMs = Math.round((this.#offset ?? offset) - offset);
    const isFirst = this.#offset === undefined;
    if (!isFirst && steppedBackMs < toleratedStepMs) {
      this.#offset = offset;
      return { moved: 0 };
    }
    const moved = isFirst
      ? await bringBackDue(this.#pool, this.#dueTimes, longestWaitMs)
      : await moveDue(this.#pool, this.#dueTimes, steppedBackMs);
    this.#offset = offset;
    if (moved > 0)
      this.#log.warn(
        { moved, stepped_back_ms: steppedBackMs },
        "the database's clock was set back; waiting look-ups become due earlier",
      );
    return { moved };
  }
}
