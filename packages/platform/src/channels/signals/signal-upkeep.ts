import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Service } from '../../service.ts';
import { pruneSignals } from './signal-store.ts';

/**
 * How long a signal is kept, in seconds. Polls come every second. If the database is unavailable to a process for half of this
 * time, the process makes its browsers reload their lists.
 */
export const keepSeconds = 900;
const pollMs = 60_000;
const maxBatch = 10_000;

/** A chore of the worker: deletes signals that every process has seen. */
export class SignalUpkeep implements Service {
  readonly #pool: Pool;
  readonly #rounds: Rounds;
  #stopped = false;

  constructor(options: { pool: Pool; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#rounds = new Rounds({
      name: 'signal upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'site signals are not cleaned up: the database is unavailable',
        again: 'site signals are cleaned up again',
        failed: 'site-signal cleanup failed; will retry in 1 min',
      },
    });
  }

  start(): Promise<void> {
    this.#stopped = false;
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#rounds.stop();
  }

  async runOnce(): Promise<{ pruned: number }> {
    let pruned = 0;
    while (!this.#stopped) {
      const batch = await pruneSignals(this.#pool, { olderThanSeconds: keepSeconds, limit: maxBatch });
      pruned += batch;
      if (batch < maxBatch) break;
    }
    return { pruned };
  }
}
