import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { forgetReports, forgetTallies } from '../channels/index.ts';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import type { Service } from '../service.ts';

const pollMs = 600_000;
const day: Micros = 86_400_000_000;
/** Amazon SNS repeats a call for up to 23 days; `soft_bounce_days` looks back 30. */
const reportRetention = 31 * day;
const tallyRetention = 400 * day;
/** Rows per statement, so that it holds its locks only briefly. */
const pageSize = 10_000;

/** Deletes stored reports after a month. Several workers can run it at once. */
export class ReportUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #rounds: Rounds;
  #stopped = false;

  constructor(options: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#rounds = new Rounds({
      name: 'report upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'reports about messages are not cleaned up: the database is unavailable',
        again: 'reports about messages are cleaned up again',
        failed: 'report cleanup failed; will retry in 10 min',
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
    const now = this.#clock();
    let forgotten = 0;
    for (let page = pageSize; page === pageSize && !this.#stopped; forgotten += page) {
      page = await forgetReports(this.#pool, now - reportRetention, pageSize);
    }
    await forgetTallies(this.#pool, now - tallyRetention);
    return { forgotten };
  }
}
