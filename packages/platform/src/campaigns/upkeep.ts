import { latestGoal } from '@croupier/campaigns';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import type { Service } from '../service.ts';
import { forgetWithdrawals } from './news/withdrawal-store.ts';
import { forgetWatches } from './runs/goal-watches.ts';

const pollMs = 10_000;
/**
 * In portions of this size, 1,000,000 watches are read in 33 minutes. An expired watch that is not removed yet only takes space, because
 * its goal no longer counts.
 */
const portionRuns = 5_000;

export interface CampaignUpkeepOptions {
  pool: Pool;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Default 5,000. */
  portionRuns?: number;
}

/** How long a withdrawal is kept. An event that it withdraws and that arrives later than this starts its run. */
const withdrawalsFor = 86_400_000_000;

/**
 * Removes what the runs of campaigns no longer need, in portions: watches for goals whose window is over, and old withdrawals. Several
 * workers can run it at once.
 */
export class CampaignUpkeep implements Service {
  readonly #options: CampaignUpkeepOptions;
  readonly #rounds: Rounds;
  #after = 0;

  constructor(options: CampaignUpkeepOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 'campaign upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'expired goals and old withdrawals of campaigns are kept: the database is unavailable',
        again: 'expired goals and old withdrawals of campaigns are removed again',
        failed: 'removing expired goals and old withdrawals of campaigns failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Processes one portion of the watches. After the last one, the next portion is the first again. */
  async runOnce(): Promise<{ forgotten: number }> {
    const { pool, clock, portionRuns: limit = portionRuns } = this.#options;
    const endedBefore = clock() - latestGoal;
    await forgetWithdrawals(pool, clock() - withdrawalsFor, limit);
    const { forgotten, last } = await forgetWatches(pool, { after: this.#after, limit, endedBefore });
    this.#after = last ?? 0;
    return { forgotten };
  }
}
