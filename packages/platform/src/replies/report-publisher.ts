import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { endWaitingReports, isReportWaiting, lockWaitingReports } from '../channels/index.ts';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import { transaction } from '../database/index.ts';
import { type Ledger, type LedgerWriter, playerHash } from '../ledger/index.ts';
import type { Service } from '../service.ts';

const pollMs = 250;
/** Maximum number of events per transaction. */
const maxBatch = 500;

/**
 * Writes the platform's own reports to the ledger: those that channels stored in the transactions of their causes
 * (channels/reports/store-report.ts). It appends, and then marks the reports as stored. A crash between the two appends the same bodies
 * again, which derive counts once.
 */
export class ReportPublisher implements Service {
  readonly #options: { pool: Pool; ledger: Pick<Ledger, 'openWriter'>; clock: Clock; onPublished?: () => void };
  readonly #rounds: Rounds;
  #writer: LedgerWriter | undefined;

  constructor(options: {
    pool: Pool;
    ledger: Pick<Ledger, 'openWriter'>;
    clock: Clock;
    log: Logger;
    guard?: ClockGuard;
    /** Called when new events are in the ledger, so that derive does not wait for its next poll. */
    onPublished?: () => void;
  }) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 'reports about messages',
      guard: options.guard,
      runOnce: () => this.#withWriter(),
      pollMs,
      log: options.log,
      words: {
        away: 'reports about messages are not published to the ledger: the database is unavailable',
        again: 'reports about messages are published to the ledger again',
        failed: 'publishing reports about messages to the ledger failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#closeWriter();
  }

  /** A writer that failed cannot be used again: the next round opens another. */
  async #withWriter(): Promise<void> {
    try {
      await this.runOnce();
    } catch (error) {
      await this.#closeWriter();
      throw error;
    }
  }

  /** @returns how many events were published, at most one batch */
  async runOnce(): Promise<{ published: number }> {
    const { pool, ledger, clock, onPublished } = this.#options;
    if (!(await isReportWaiting(pool))) return { published: 0 };
    const published = await transaction(pool, async (tx) => {
      const waiting = await lockWaitingReports(tx, maxBatch);
      if (waiting.length === 0) return 0;
      const received_at = clock();
      await endWaitingReports(tx, waiting, received_at);
      this.#writer ??= await ledger.openWriter();
      await this.#writer.append(
        waiting.map(({ brand_id, body }) => ({
          brand_id,
          kind: 'message_event' as const,
          player_hash: playerHash(brand_id, String(body.user_id)),
          received_at,
          body: Buffer.from(JSON.stringify(body)),
        })),
      );
      return waiting.length;
    });
    if (published > 0) onPublished?.();
    return { published };
  }

  async #closeWriter(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close().catch(() => {});
  }
}
