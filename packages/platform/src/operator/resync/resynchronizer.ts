import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { readMoving } from './run-store.ts';
import { type Stepped, stepRun } from './step.ts';

/** The time between two rounds, and so between two steps of a run: at 20 players a second, a step requests ten. */
const pollMs = 500;
/** Counting the profiles of a brand with ten million players takes a while, once per run. */
const stepLimit = '5min';

export interface ResynchronizerOptions {
  pool: Pool;
  brands: { byId(brandId: number): Brand | undefined };
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
}

/** Advances the runs, together with all other workers. One worker at a time advances a run, at the pace that its row states. */
export class Resynchronizer implements Service {
  readonly #options: ResynchronizerOptions;
  readonly #rounds: Rounds;

  constructor(options: ResynchronizerOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 're-synchronization',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 're-synchronization is paused: the database is unavailable',
        again: 're-synchronization continues',
        failed: 're-synchronization failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Makes one step of every active run. */
  async runOnce(): Promise<Stepped> {
    const { pool, brands, clock, log } = this.#options;
    const sum: Stepped = { asked: 0, answered: 0, failed: 0 };
    for (const resyncId of await readMoving(pool)) {
      const stepped = await transaction(pool, async (tx) => {
        await tx.query(`set local statement_timeout = '${stepLimit}'`);
        return stepRun(tx, resyncId, (id) => brands.byId(id), clock());
      }).catch((error: unknown) => {
        if (isDatabaseAway(error)) throw error;
        // The runs of other brands continue.
        log.error(
          { err: error, resync_id: resyncId },
          'a re-synchronization could not continue; will retry in the next round',
        );
        return null;
      });
      sum.asked += stepped?.asked ?? 0;
      sum.answered += stepped?.answered ?? 0;
      sum.failed += stepped?.failed ?? 0;
    }
    return sum;
  }
}
