import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { forgetTracked } from './tracked-store.ts';

const pollMs = 600_000;
/** 24 hours. A page repeats a call for seconds; a phone may repeat it much later, when it is online again. */
export const trackedRetention: Micros = 24 * 3_600_000_000;
/** Maximum number of rows per statement, so that a statement holds its locks only briefly. */
const pageSize = 10_000;

/** Deletes stored ids of tracked events after a day. Several workers can run it at once. */
export class TrackedUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #rounds: Rounds;
  #stopped = false;

  constructor(options: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#rounds = new Rounds({
      name: 'tracked upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'tracked events are not cleaned up: the database is unavailable',
        again: 'tracked events are cleaned up again',
        failed: 'tracked-event cleanup failed; will retry in 10 min',
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

  async runOnce(): Promise<{ forgotten: number }> {
    const before = this.#clock() - trackedRetention;
    let forgotten = 0;
    for (let page = pageSize; page === pageSize && !this.#stopped; forgotten += page) {
      page = await forgetTracked(this.#pool, before, pageSize);
    }
    return { forgotten };
  }
}
