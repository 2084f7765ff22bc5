import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../brands/index.ts';
import type { BucketLeases } from '../../buckets/index.ts';
import type { OrderDeps, SignalSender } from '../../channels/index.ts';
import { type ClockGuard, type FeedRest, IdlePolls, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { loggable, transaction } from '../../database/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';
import type { Service } from '../../service.ts';
import { type RunnableVersion, setPhase, Versions } from '../documents/active-store.ts';
import { failCampaign } from '../documents/store.ts';
import { readIdle } from './idle.ts';
import { type IsolatedCounts, nothingDone, runIsolatedRound } from './isolate.ts';
import { Pace } from './pace.ts';
import type { RoundCounts } from './round.ts';
import { logSpoiled } from './spoiled.ts';

/** The poll finds due runs, and news of other processes; events of this process wake the lane. */
const pollMs = 100;
/** The pause between two rounds, so that news from that time is processed together. */
const restMs = 5;

export interface CampaignLaneOptions {
  pool: Pool;
  leases: Pick<BucketLeases, 'owned'>;
  brands: BrandRegistry;
  rules: RuleReading;
  gate: Gate;
  links: OrderDeps['links'];
  signals: Pick<SignalSender, 'poke'>;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** How long scheduled runs rest so that they do not slow the feed. Default: not at all. */
  feed?: FeedRest | undefined;
}

/**
 * Starts and moves the runs of the players whose buckets this worker owns. The lease assigns the work, and locks of the
 * transaction prevent two workers from processing the same run. So a worker that was suspended and resumes does no harm.
 */
export class CampaignLane implements Service {
  readonly #options: CampaignLaneOptions;
  readonly #versions: Versions;
  readonly #pace = new Pace();
  /** The time until which rounds begin no scheduled runs, in milliseconds since the process started. Events are processed as usual. */
  #restsUntil = 0;
  readonly #rounds: Rounds<RoundCounts>;
  readonly #polls = new IdlePolls();
  /**
   * The answer of `readIdle` before the last round, and the buckets of that round. Undefined if the round found work. While
   * neither the answer nor the buckets change, no further round is made.
   */
  #idle: string | undefined;

  constructor(options: CampaignLaneOptions) {
    this.#options = options;
    this.#versions = new Versions(options);
    this.#rounds = new Rounds<RoundCounts>({
      name: 'campaigns',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ more }) => more,
      pollMs,
      restMs,
      log: options.log,
      words: {
        away: 'campaigns are paused: the database is unavailable',
        again: 'campaigns process events again',
        failed: 'processing campaigns failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  readonly wake = (): void => {
    this.#polls.wake();
    this.#rounds.wake();
  };

  /**
   * Makes one round, at a given time; default now. If there is certainly nothing to do, it runs only one statement
   * (idle.ts).
   */
  async runOnce(at: Micros = this.#options.clock()): Promise<RoundCounts> {
    const { pool, leases } = this.#options;
    const buckets = [...leases.owned().keys()];
    const state = this.#polls.asks() ? await readIdle(pool, at) : undefined;
    const idle = state === undefined ? undefined : `${state} ${buckets.join(' ')}`;
    if (idle !== undefined && idle === this.#idle) {
      this.#polls.ended({ isIdle: true });
      return nothingDone;
    }
    const counts = await this.#round(buckets, at);
    this.#polls.ended(counts);
    this.#idle = counts.isIdle ? idle : undefined;
    return counts;
  }

  async #round(buckets: readonly number[], at: Micros): Promise<RoundCounts> {
    const { pool, brands, rules, gate, links, clock, signals } = this.#options;
    const failures = new Map<RunnableVersion, unknown>();
    const onFailure = (version: RunnableVersion, error: unknown) => void failures.set(version, error);
    const began = performance.now();
    const deps = {
      pool,
      brands,
      rules,
      gate,
      links,
      clock,
      versions: this.#versions,
      mostBegun: began < this.#restsUntil ? 0 : this.#pace.limit,
      onFailure,
    };
    const counts = await runIsolatedRound(deps, buckets, at);
    const took = performance.now() - began;
    this.#pace.record(counts.begun, took);
    if (counts.begun > 0) this.#rest(took);
    signals.poke(counts.signals);
    this.#logFailed(counts);
    for (const [version, error] of failures) await this.#fail(version, error);
    return counts;
  }

  #logFailed({ spoiled, stuck }: IsolatedCounts): void {
    const { log } = this.#options;
    logSpoiled(log, this.#versions, spoiled);
    for (const error of stuck)
      log.error(
        loggable(error),
        'runs of a player cannot be processed, and their failure cannot be stored; will retry; all others continue',
      );
  }

  #rest(workMs: number): void {
    const restMs = this.#options.feed?.restMs(workMs) ?? 0;
    this.#restsUntil = performance.now() + restMs;
    if (restMs > 0) setTimeout(this.wake, restMs).unref();
  }

  /**
   * Stores that a campaign failed because its entry cannot be evaluated. No player enters the campaign; all others
   * continue.
   */
  async #fail(failed: RunnableVersion, error: unknown): Promise<void> {
    const { pool, log } = this.#options;
    const { campaign_id, code, version } = failed;
    log.error({ err: error, campaign: code, version }, 'a campaign failed because its entry is not valid');
    await transaction(pool, async (tx) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (await failCampaign(tx, failed, reason)) await setPhase(tx, campaign_id, 'paused');
    });
  }
}
