import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { dayOf } from './day.ts';
import { closeGoneWriters, ensurePartition } from './store.ts';

const intervalMs = 60_000;
/** Partitions stand ready for today and the days after, so that midnight makes nobody wait. */
const daysAhead = 3;
const dayMicros = 86_400_000_000;

/** A chore of the worker: partitions ahead of time, and writers whose connection is gone are closed. */
export class LedgerUpkeep {
  #pool: Pool;
  #now: () => Micros;
  #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;

  constructor(options: { pool: Pool; now: () => Micros; log: Logger }) {
    this.#pool = options.pool;
    this.#now = options.now;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    const run = () => {
      this.#running ??= this.runOnce()
        .catch((error: unknown) =>
          this.#log.warn({ err: error }, 'the upkeep of the ledger failed; it is tried again in a minute'),
        )
        .finally(() => {
          this.#running = undefined;
        });
    };
    run();
    this.#timer = setInterval(run, intervalMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async runOnce(): Promise<{ days: number; closed: number }> {
    const client = await this.#pool.connect();
    try {
      for (let i = 0; i <= daysAhead; i++) {
        await ensurePartition(client, dayOf(this.#now() + i * dayMicros));
      }
    } finally {
      client.release();
    }
    return { days: daysAhead + 1, closed: await closeGoneWriters(this.#pool) };
  }
}
