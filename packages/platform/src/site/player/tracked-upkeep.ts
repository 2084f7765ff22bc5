import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { forgetTracked } from './tracked-store.ts';

const roundMs = 600_000;
/** A page repeats a call for seconds; a phone that was in a tunnel, when it is out of it. */
export const trackedKept: Micros = 24 * 3_600_000_000;
/** Rows of one statement, so that it holds no locks for long. */
const pageSize = 10_000;

/** Forgets which tracked events were heard of, a day later. Harmless in several workers at once. */
export class TrackedUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = false;

  constructor(options: { pool: Pool; clock: Clock; log: Logger }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    const round = () => {
      this.#round ??= this.runOnce()
        .then(() => {})
        .catch((error: unknown) => this.#log.warn({ err: error }, 'tracked events are remembered until the next round'))
        .finally(() => {
          this.#round = undefined;
        });
    };
    round();
    this.#timer = setInterval(round, roundMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  async runOnce(): Promise<{ forgotten: number }> {
    const before = this.#clock() - trackedKept;
    let forgotten = 0;
    for (let page = pageSize; page === pageSize && !this.#stopped; forgotten += page) {
      page = await forgetTracked(this.#pool, before, pageSize);
    }
    return { forgotten };
  }
}
