import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { ContactRules } from '../campaigns/index.ts';
import type { SignalSender } from '../channels/index.ts';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import { isDatabaseAway, isStatementTimeout, timestamptzText, transaction } from '../database/index.ts';
import type { Service } from '../service.ts';
import { type PortionDeps, workPortion } from './portion.ts';
import { listDue } from './store.ts';

const pollMs = 200;
const restMs = 5;
/** The delay after a failed portion. */
const againMicros = 5_000_000;

export interface BulkRunnerOptions extends Omit<PortionDeps, 'contact'> {
  pool: Pool;
  signals: Pick<SignalSender, 'poke'>;
  log: Logger;
  guard?: ClockGuard;
}

export interface BulkRound {
  gathered: number;
  handled: number;
  /** Players of cancelled actions whose messages were checked. */
  withdrawn: number;
}

/** Processes the bulk actions, together with all other workers: one portion of each action whose turn it is. */
export class BulkRunner implements Service {
  readonly #options: BulkRunnerOptions;
  readonly #deps: PortionDeps;
  readonly #rounds: Rounds<BulkRound>;

  constructor(options: BulkRunnerOptions) {
    this.#options = options;
    this.#deps = { ...options, contact: new ContactRules(options) };
    this.#rounds = new Rounds<BulkRound>({
      name: 'bulk actions',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ gathered, handled, withdrawn }) => gathered + handled + withdrawn > 0,
      pollMs,
      restMs,
      log: options.log,
      words: {
        away: 'bulk actions are paused: the database is unavailable',
        again: 'bulk actions continue',
        failed: 'processing bulk actions failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce(): Promise<BulkRound> {
    const { pool, clock } = this.#options;
    const sum: BulkRound = { gathered: 0, handled: 0, withdrawn: 0 };
    for (const actionId of await listDue(pool, clock())) {
      const portion = await this.#portion(actionId);
      sum.gathered += portion?.gathered ?? 0;
      sum.handled += portion?.handled ?? 0;
      sum.withdrawn += portion?.withdrawn ?? 0;
    }
    return sum;
  }

  async #portion(actionId: number) {
    const { pool, clock, log, signals } = this.#options;
    try {
      const portion = await transaction(pool, (tx) => workPortion(tx, this.#deps, actionId, clock()));
      signals.poke(portion?.signals ?? []);
      return portion;
    } catch (error) {
      if (isDatabaseAway(error) && !isStatementTimeout(error)) throw error;
      // The other actions continue.
      log.error({ err: error, action_id: actionId }, 'a portion of a bulk action failed; will retry in 5 s');
      await pool.query(`update bulk_progress set next_at = $2, waits_for = 'failure' where action_id = $1`, [
        actionId,
        timestamptzText(clock() + againMicros),
      ]);
      return null;
    }
  }
}
