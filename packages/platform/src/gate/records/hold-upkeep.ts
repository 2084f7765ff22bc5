import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { dropForgottenHolds } from './hold-store.ts';

const roundMs = 3_600_000;
/** Whoever waits asks every 5 minutes at least; a worker fleet may be down for a long weekend. */
const keepMicros = 7 * 24 * 3_600_000_000;

/**
 * Drops holds whose causes are gone without `Gate.forget`, so that the list of what is held stays true. Their decision records
 * stay. Harmless in several workers at once.
 */
export class HoldUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(options: { pool: Pool; clock: Clock; log: Logger }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    const round = () => {
      this.#round = this.runOnce()
        .then(({ dropped }) => {
          if (dropped > 0) this.#log.warn({ dropped }, 'contacts were held for a week without anybody asking for them');
        })
        .catch((error: unknown) => this.#log.warn({ err: error }, 'forgotten holds stay until the next round'));
    };
    round();
    this.#timer = setInterval(round, roundMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async runOnce(): Promise<{ dropped: number }> {
    return { dropped: await dropForgottenHolds(this.#pool, this.#clock() - keepMicros) };
  }
}
