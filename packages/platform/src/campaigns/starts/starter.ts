import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../brands/index.ts';
import { type ClockGuard, type FeedRest, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { isContentFailure, loggable, refusedValue, transaction } from '../../database/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';
import type { Service } from '../../service.ts';
import { Versions } from '../documents/active-store.ts';
import { logSpoiled } from '../runs/spoiled.ts';
import { keptFor, listedBack, startsBetween, stateWhenFound, zonesOf } from './plan.ts';
import { AudienceUnreadable, type Portion, portionPlayers, skipPlayer, workStart } from './portion.ts';
import * as store from './store.ts';

const pollMs = 1_000;
/** The largest share of time that portions use. */
const mostShare = 0.5;

export interface CampaignStarterOptions {
  pool: Pool;
  brands: BrandRegistry;
  rules: RuleReading;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Default: it rests as long as each portion took. */
  feed?: FeedRest | undefined;
  /** Called when runs were created that wait for their first step. */
  wake: () => void;
  /** Default 1,000. */
  portionPlayers?: number;
}

export interface StarterRound {
  /** Number of scheduled times that were due. */
  planned: number;
  portions: number;
}

/**
 * Begins the runs of campaigns that start by a schedule: finds the times that are due, and creates the runs in portions of
 * players. The lane continues: it takes some of these runs in each of its rounds.
 *
 * Several workers can run it at once: a schedule, and all starts of a campaign, are locked for one portion. After a portion it pauses
 * for as long as the portion took, and longer if the feed needs the capacity (FeedWatch).
 */
export class CampaignStarter implements Service {
  readonly #options: CampaignStarterOptions;
  readonly #versions: Versions;
  readonly #rounds: Rounds<StarterRound>;
  #stopping = false;

  constructor(options: CampaignStarterOptions) {
    this.#options = options;
    this.#versions = new Versions(options);
    this.#rounds = new Rounds<StarterRound>({
      name: 'campaign starts',
      guard: options.guard,
      runOnce: () => this.runOnce({ throttled: true }),
      isMore: ({ portions }) => portions > 0,
      pollMs,
      log: options.log,
      words: {
        away: 'starts of campaigns are paused: the database is unavailable',
        again: 'campaign starts continue',
        failed: 'processing campaign starts failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    this.#stopping = false;
    return this.#rounds.start();
  }

  /** Stops after the current portion. */
  stop(): Promise<void> {
    this.#stopping = true;
    return this.#rounds.stop();
  }

  /** Processes the times that are due, and one portion of each running start. */
  async runOnce({ throttled = false } = {}): Promise<StarterRound> {
    const { pool, clock, wake } = this.#options;
    const counts = { planned: 0, portions: 0 };
    for (const campaignId of await store.listSchedules(pool, clock()))
      counts.planned += (await this.#alone({ campaign_id: campaignId }, () => this.#plan(campaignId))) ?? 0;
    for (const name of await store.listRunning(pool)) {
      if (this.#stopping) break;
      const began = performance.now();
      const portion = (await this.#alone(name, () => this.#portion(name))) ?? 'waits';
      if (portion === 'taken' || portion === 'waits') continue;
      counts.portions++;
      wake();
      const took = performance.now() - began;
      if (throttled) await delay(this.#options.feed?.restMs(took, mostShare) ?? took);
    }
    return counts;
  }

  #plan(campaignId: number): Promise<number> {
    const { pool, brands, clock } = this.#options;
    return transaction(pool, async (tx) => {
      const own = await store.lockSchedule(tx, campaignId);
      const brand = own && brands.byId(own.brand_id);
      if (own === undefined || brand === undefined) return 0;
      const at = clock();
      const { schedule, planned_until, phase, brand_id } = own;
      const zones = { brand: brand.settings.time_zone, players: zonesOf(brand.settings) };
      const due = startsBetween(schedule, Math.max(planned_until, at - listedBack), at, zones);
      const starts = due.map((one) => ({
        ...one,
        ...stateWhenFound(one, { at, phase }),
        campaign_id: campaignId,
        brand_id,
      }));
      await store.insertStarts(tx, starts);
      if (starts.length > 0) await store.forgetStarts(tx, campaignId, at - keptFor);
      await store.setPlanned(tx, campaignId, Math.max(planned_until, at));
      return starts.length;
    });
  }

  /** If one start cannot be processed, the others continue. It is tried again in the next round. */
  async #alone<T>(name: { campaign_id: number }, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isContentFailure(error)) throw error;
      this.#options.log.error({ ...name, ...loggable(error) }, 'a campaign start failed; will retry in the next round');
      return undefined;
    }
  }

  /**
   * Processes one portion. If the database refuses a value of one of its players, smaller portions follow, down to this player, who is
   * skipped with a failed run.
   */
  async #portion(name: store.StartName): Promise<Portion> {
    const { pool, clock, log, brands, rules, feed } = this.#options;
    const deps = { brands, rules, versions: this.#versions, isSlowed: feed?.isSlowed ?? false };
    for (let size = this.#options.portionPlayers ?? portionPlayers; ; size = Math.ceil(size / 2)) {
      try {
        return await transaction(pool, (tx) => workStart(tx, deps, name, clock(), size));
      } catch (error) {
        if (error instanceof AudienceUnreadable) return this.#failStart(name, error);
        if (refusedValue(error) === undefined) throw error;
        if (size > 1) continue;
        const spoiled = await transaction(pool, (tx) => skipPlayer(tx, deps, name, clock(), error));
        if (spoiled !== undefined) logSpoiled(log, this.#versions, [spoiled]);
        return 'more';
      }
    }
  }

  async #failStart(name: store.StartName, error: AudienceUnreadable): Promise<Portion> {
    const { pool, clock, log } = this.#options;
    log.error({ err: error, ...name }, 'a campaign start failed because its audience is not valid');
    await transaction(pool, async (tx) => {
      const start = await store.lockStart(tx, name);
      const ended = { state: 'failed', reason: error.message, finished_at: clock() } as const;
      if (start !== undefined) await store.saveStart(tx, { ...start, ...ended });
    });
    return 'ended';
  }
}
