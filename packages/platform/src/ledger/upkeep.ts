import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Service } from '../service.ts';
import { dayOf } from './day.ts';
import { closeGoneWriters, ensurePartition } from './store.ts';

const pollMs = 60_000;
/** Partitions are created for today and this many following days, so that no process waits at midnight. */
const daysAhead = 3;
const dayMicros = 86_400_000_000;

/** A chore of the worker: creates partitions in advance, and closes writers whose connection is gone. */
export class LedgerUpkeep implements Service {
  readonly #pool: Pool;
  readonly #now: () => Micros;
  readonly #rounds: Rounds;

  constructor(options: { pool: Pool; now: () => Micros; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#now = options.now;
    this.#rounds = new Rounds({
      name: 'ledger upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'ledger upkeep is paused: the database is unavailable',
        again: 'ledger upkeep continues',
        failed: 'ledger upkeep failed; will retry in 1 min',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
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
