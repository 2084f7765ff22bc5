import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { readMoving } from './run-store.ts';
import { type Stepped, stepRun } from './step.ts';

/** Also the length of a step: at 20 players a second, ten of them. */
const pollMs = 500;
/** Counting a brand of ten million players by its profiles takes a while, once per run. */
const stepLimit = '5min';

export interface ResynchroniserOptions {
  pool: Pool;
  brands: { byId(brandId: number): Brand | undefined };
  clock: Clock;
  log: Logger;
}

/** Moves the runs on, together with those of all other workers: a run is stepped by one of them at a time, at the pace of its row. */
export class Resynchroniser implements Service {
  readonly #options: ResynchroniserOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #away = false;

  constructor(options: ResynchroniserOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      this.#round ??= this.#once().finally(() => {
        this.#round = undefined;
      });
    }, pollMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #once(): Promise<void> {
    try {
      await this.runOnce();
      this.#away = false;
    } catch (error) {
      if (!this.#away) this.#options.log.warn({ err: error }, 're-synchronisation waits; the next round tries again');
      this.#away = true;
    }
  }

  /** One step of every run that moves. */
  async runOnce(): Promise<Stepped> {
    const { pool, brands, clock, log } = this.#options;
    const sum: Stepped = { asked: 0, answered: 0, failed: 0 };
    for (const resyncId of await readMoving(pool)) {
      const stepped = await transaction(pool, async (tx) => {
        await tx.query(`set local statement_timeout = '${stepLimit}'`);
        return stepRun(tx, resyncId, (id) => brands.byId(id), clock());
      }).catch((error: unknown) => {
        if (isDatabaseAway(error)) throw error;
        // The runs of other brands go on.
        log.error(
          { err: error, resync_id: resyncId },
          'a re-synchronisation was not moved on; the next round tries again',
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
