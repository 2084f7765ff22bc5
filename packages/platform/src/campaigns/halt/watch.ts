import { type Campaign, haltLimits, haltReason } from '@croupier/campaigns';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, isStatementTimeout, transaction } from '../../database/index.ts';
import type { Service } from '../../service.ts';
import { setPhase, Versions } from '../documents/active-store.ts';
import { haltCampaign } from '../documents/store.ts';
import {
  noteAllUnchecked,
  noteChecked,
  noteUnchecked,
  readHaltCounts,
  readWatched,
  type WatchedCampaign,
} from './store.ts';

const pollMs = 5_000;
/** Maximum number of characters of an error that people see. The log contains the whole error. */
const longestReason = 500;

/**
 * True if the database is unavailable. A statement timeout does not count, because the same campaign may cause it each
 * time.
 */
const isOutage = (error: unknown) => isDatabaseAway(error) && !isStatementTimeout(error);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, longestReason);

export interface CampaignWatchOptions {
  pool: Pool;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
}

/**
 * Halts campaigns that exceed their limits: players no longer enter, waits continue, and effects wait until a person
 * resumes or stops the campaign. A campaign whose check fails does not keep others from halting; the overview lists it
 * with the reason until a check succeeds. Several workers can run it at once: only the first one that finds the
 * campaign live halts it.
 */
export class CampaignWatch implements Service {
  readonly #options: CampaignWatchOptions;
  readonly #versions: Versions;
  readonly #rounds: Rounds;

  constructor(options: CampaignWatchOptions) {
    this.#options = options;
    this.#versions = new Versions(options);
    this.#rounds = new Rounds({
      name: 'campaign limits',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      pollMs,
      log: options.log,
      words: {
        away: 'campaign limits are not checked: the database is unavailable',
        again: 'campaign limits are checked again',
        failed: 'checking campaign limits failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce(): Promise<{ halted: number }> {
    const { pool, clock, log } = this.#options;
    const { watched, versions } = await this.#read();
    let halted = 0;
    for (const campaign of watched) {
      try {
        const document = versions.get(campaign.version_id)?.document;
        if (document !== undefined && (await this.#haltIfExceeded(campaign, document))) halted++;
        await noteChecked(pool, campaign);
      } catch (error) {
        if (isOutage(error)) throw error;
        log.error(
          { err: error, campaign: campaign.code },
          'checking the limits of a campaign failed; the limits of the other campaigns are still checked',
        );
        await noteUnchecked(pool, campaign, { at: clock(), reason: reasonOf(error) });
      }
    }
    return { halted };
  }

  /** If the campaigns cannot be read, none is checked, and each of them shows why. */
  async #read() {
    const { pool, clock, log } = this.#options;
    try {
      const watched = await readWatched(pool);
      return { watched, versions: await this.#versions.load(watched.map(({ version_id }) => version_id)) };
    } catch (error) {
      const note = { at: clock(), reason: reasonOf(error) };
      if (!isOutage(error)) {
        await noteAllUnchecked(pool, note).catch((unnoted: unknown) =>
          log.error(
            { err: unnoted },
            'the limits of campaigns cannot be checked, and the alarm campaign_unchecked could not be stored',
          ),
        );
      }
      throw error;
    }
  }

  async #haltIfExceeded(campaign: WatchedCampaign, document: Campaign): Promise<boolean> {
    const { pool, clock } = this.#options;
    const limits = haltLimits(document, campaign.share);
    if (limits === null) return false;
    const of = { at: clock(), mostPerDay: limits.entered_per_day ?? 0, countsLater: limits.withheld !== undefined };
    const reason = haltReason(limits, await readHaltCounts(pool, campaign, of));
    return reason !== null && this.#halt(campaign, reason);
  }

  async #halt({ campaign_id, code, watched_since }: WatchedCampaign, reason: string): Promise<boolean> {
    const { pool, clock, log } = this.#options;
    const halted = await transaction(pool, async (tx) => {
      if (!(await haltCampaign(tx, campaign_id, { reason, at: clock(), watched_since }))) return false;
      await setPhase(tx, campaign_id, 'paused');
      return true;
    });
    if (halted) log.error({ campaign: code, reason }, 'a campaign exceeded its limits and was halted');
    return halted;
  }
}
