import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { auditSealOf } from './seal.ts';
import { lockAuditSealing, readAuditHead, unsealedEntries, writeAuditSeal } from './seal-store.ts';

/*
 * Seals what staff did since the last round. docs/reference/design.md 7 allows 10 s; rounds are 5 s apart. Several
 * workers may run it: one at a time holds an advisory lock, and the primary key refuses a seal_no that exists.
 */
const pollMs = 5_000;
const maxSealed = 2_000;

export class AuditSealer implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #rounds: Rounds;

  constructor(options: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#rounds = new Rounds({
      name: 'seals of the staff audit',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ entries }) => entries === maxSealed,
      pollMs,
      log: options.log,
      words: {
        away: 'entries of the staff audit are not sealed: the database is unavailable',
        again: 'entries of the staff audit are sealed again',
        failed: 'sealing the staff audit failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Seals entries that were committed before it began, 2,000 at most. */
  async runOnce(): Promise<{ entries: number }> {
    return transaction(this.#pool, async (tx) => {
      if (!(await lockAuditSealing(tx))) return { entries: 0 };
      const entries = await unsealedEntries(tx, maxSealed);
      if (entries.length > 0) await writeAuditSeal(tx, auditSealOf(entries, await readAuditHead(tx), this.#clock()));
      return { entries: entries.length };
    });
  }
}
