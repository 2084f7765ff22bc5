import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { pruneSignals } from './signal-store.ts';

/**
 * How long a signal is kept. Polls come every second; a process whose database was away for half of this time
 * makes its browsers list again.
 */
export const keepSeconds = 900;
const intervalMs = 60_000;
const maxBatch = 10_000;

/** A chore of the worker: signals that every process has seen go. */
export class SignalUpkeep implements Service {
  readonly #pool: Pool;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;
  #stopped = false;

  constructor(options: { pool: Pool; log: Logger }) {
    this.#pool = options.pool;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      this.#running ??= this.runOnce()
        .catch((error: unknown) => {
          const words = 'signals of the site were not pruned; tried again in a minute';
          if (isDatabaseAway(error)) this.#log.debug({ err: error }, words);
          else this.#log.error({ err: error }, words);
        })
        .finally(() => {
          this.#running = undefined;
        });
    }, intervalMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
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
