import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { sweepCampaignIntents } from '../../actions/index.ts';
import { sweepCampaignMessages } from '../../channels/index.ts';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../service.ts';
import { forgetDeleted } from '../documents/active-store.ts';

const pollMs = 1_000;
/**
 * How long the row of a deleted campaign is kept in `campaign_active`. Its runs may have ordered something in a transaction that was open
 * during the deletion, so it must stay for longer than any transaction.
 */
const deletedFor = 30 * 86_400_000_000;

export interface CampaignSweepOptions {
  pool: Pool;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
}

/**
 * Applies the pause, resume or stop of a campaign to the messages and credits that its runs ordered and whose calls have not begun. This
 * takes one or two seconds. Messages, credits and unclaimed offers of a stopped campaign end with the reason campaign_stopped, those of a paused one wait
 * with the reason campaign_paused, and those of a resumed one are due. If nothing is left to end, the rows of campaigns that were deleted 30 days
 * ago are removed.
 *
 * The sweep is for people and for the length of queues. Whether a call may begin does not depend on it
 * (outgoing/campaign-hold.ts). Several workers can run it at once.
 */
export class CampaignSweep implements Service {
  readonly #options: CampaignSweepOptions;
  readonly #rounds: Rounds<Awaited<ReturnType<CampaignSweep['runOnce']>>>;

  constructor(options: CampaignSweepOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 'campaign sweep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ more }) => more,
      pollMs,
      log: options.log,
      words: {
        away: 'waiting messages and credits of paused and stopped campaigns are not held or ended: the database is unavailable',
        again: 'waiting messages and credits of paused and stopped campaigns are held or ended again',
        failed:
          'holding or ending messages and credits of paused and stopped campaigns failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce() {
    const { pool, clock } = this.#options;
    const messages = await sweepCampaignMessages(pool, clock());
    const intents = await sweepCampaignIntents(pool, clock());
    // Only now, because after a long outage something that a deleted campaign ordered may still wait.
    if (messages.dropped === 0 && intents.rejected === 0) await forgetDeleted(pool, clock() - deletedFor);
    return { messages, intents, more: messages.more || intents.more };
  }
}
