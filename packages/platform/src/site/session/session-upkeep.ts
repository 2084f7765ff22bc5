import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { tokenSeconds } from './auth-tokens.ts';
import { forgetEndsBefore } from './end-store.ts';

const everyMs = 600_000;
/** Twice the life of a token: no clock is an hour behind. */
const keepMicros = 2 * tokenSeconds * 1_000_000;

/** Forgets ends of single sessions once every token of theirs has run out. One row per player stays, for their last end of all. */
export class SessionUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(options: { pool: Pool; clock: Clock; log: Logger }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      this.#round ??= this.runOnce()
        .then(() => {})
        .catch((error: unknown) => this.#log.warn({ err: error }, 'ended sessions are forgotten later'))
        .finally(() => {
          this.#round = undefined;
        });
    }, everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async runOnce(): Promise<{ forgotten: number }> {
    return { forgotten: await forgetEndsBefore(this.#pool, this.#clock() - keepMicros) };
  }
}
