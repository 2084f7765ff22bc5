import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { dropForgottenHolds } from './hold-store.ts';

const pollMs = 3_600_000;
/** Every waiting caller asks at least every 5 minutes. The margin covers a long weekend without workers. */
const keepMicros = 7 * 24 * 3_600_000_000;

/**
 * Deletes holds whose contacts were not checked for a week, so that the list of holds stays correct. Their callers are gone and did not
 * call `forgetContacts`. The records of the decisions are kept. It may run in several workers at once.
 */
export class HoldUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #rounds: Rounds;

  constructor(options: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#rounds = new Rounds({
      name: 'forgotten holds',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'expired holds are not cleaned up: the database is unavailable',
        again: 'expired holds are cleaned up again',
        failed: 'expired-hold cleanup failed; will retry in 1 h',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce(): Promise<{ dropped: number }> {
    const dropped = await dropForgottenHolds(this.#pool, this.#clock() - keepMicros);
    if (dropped > 0)
      this.#log.warn({ dropped }, 'holds were deleted because their contacts were not checked again for a week');
    return { dropped };
  }
}
