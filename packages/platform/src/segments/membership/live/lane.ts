import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../../brands/index.ts';
import type { BucketLeases } from '../../../buckets/index.ts';
import { type ClockGuard, IdlePolls, Rounds } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import type { Service } from '../../../service.ts';
import type { ActiveVersion } from '../active/active-version.ts';
import { ActiveVersions } from '../active/registry.ts';
import type { RuleReading } from '../rule-reading.ts';
import { failVersion } from '../versions/store.ts';
import { type BucketFailure, runSeparately } from './apart.ts';
import { forgetBucketFailures, noteBucketFailures } from './bucket-failures.ts';
import { isIdle } from './idle.ts';
import { nothingFound, type RoundCounts, runRound } from './round.ts';

/**
 * The poll finds work that is due by the clock, and news from other processes. Events and look-ups of this process wake the lane.
 */
const pollMs = 200;
/**
 * The pause between two rounds, so that what arrives meanwhile is processed together. Each round costs a dozen
 * statements, regardless of its content.
 */
const shortRestMs = 25;
/**
 * If a round takes longer than this, the lane is under load. It then pauses for as long as the round took. Players have many events in a
 * row, so if rounds are less frequent, each event causes fewer evaluations: 6 instead of 7.4 players per 100 events, at 6,300 events/s with
 * a hundred segments. After a full round the pause is short, because the next round is also full. Waiting would only delay it.
 */
const busyRoundMs = 150;
const longestRestMs = 400;

/** The pause after a round. */
export function restAfter({ ms, isMore }: { ms: number; isMore: boolean }): number {
  return isMore || ms <= busyRoundMs ? shortRestMs : Math.min(ms, longestRestMs);
}

/**
 * How long a bucket whose round failed waits before it is tried again, so that the search for it does not slow down the
 * other buckets.
 */
export const retryAfter: Micros = 5_000_000;

export interface SegmentLaneOptions {
  pool: Pool;
  leases: Pick<BucketLeases, 'owned'>;
  brands: BrandRegistry;
  rules: RuleReading;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Called with versions that have too many players due at once to evaluate them one by one. */
  onMass(versions: readonly number[]): void;
  /** Called if a round took in news or changed memberships: code that waits for segments may continue. */
  onMoved?(): void;
}

/**
 * Maintains the membership of the players whose buckets this worker owns: shortly after an event, a look-up or a tag,
 * and at the moment when time alone changes an answer. The lease determines which worker does it. Locks of the
 * transaction itself ensure that no other worker does it at the same time, so a worker that was suspended and wakes up
 * does no harm.
 */
export class SegmentLane implements Service {
  readonly #options: SegmentLaneOptions;
  readonly #active: ActiveVersions;
  readonly #rounds: Rounds<RoundCounts>;
  readonly #polls = new IdlePolls();
  /** Buckets whose last round failed, and when. */
  readonly #failedAt = new Map<number, Micros>();
  /** When recoveries were last recorded. */
  #recordedAt: Micros = 0;

  constructor(options: SegmentLaneOptions) {
    this.#options = options;
    this.#active = new ActiveVersions(options);
    this.#rounds = new Rounds<RoundCounts>({
      name: 'segments',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ more }) => more,
      pollMs,
      restMs: restAfter,
      log: options.log,
      words: {
        away: 'updates of segments are paused: the database is unavailable',
        again: 'segments are updated again',
        failed: 'updating segments failed; will retry in the next round',
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
   * Runs one round. If there is certainly nothing to do, it makes only one statement (idle.ts). At least every 5 s it
   * makes a whole round, which records recoveries.
   */
  async runOnce(): Promise<RoundCounts> {
    const { pool, clock } = this.#options;
    const at = clock();
    const isAnswered = this.#polls.asks() && Math.abs(at - this.#recordedAt) < retryAfter && (await isIdle(pool, at));
    const counts = isAnswered ? nothingFound : await this.#round(at);
    this.#polls.ended({ isIdle: counts.isIdle });
    return counts;
  }

  async #round(at: Micros): Promise<RoundCounts> {
    const { pool, leases, brands, rules, clock, log, onMass, onMoved } = this.#options;
    const failures = new Map<ActiveVersion, unknown>();
    const deps = {
      pool,
      brands,
      rules,
      active: this.#active,
      onFailure: (version: ActiveVersion, error: unknown) => void failures.set(version, error),
    };
    const buckets = [...leases.owned().keys()].filter((bucket) => !this.#isHeldBack(bucket, at));
    const { results, failures: failed } = await runSeparately(buckets, (some) => runRound(deps, some, clock));
    for (const bucket of buckets) this.#failedAt.delete(bucket);
    for (const { bucket } of failed) this.#failedAt.set(bucket, at);
    if (failed.length > 0)
      log.error(
        { err: failed[0]?.error, buckets: failed.map(({ bucket }) => bucket) },
        'updating segments of these buckets failed; will retry; other buckets continue',
      );
    await this.#recordFailures(buckets, failed, at);
    const counts = sumOf(results);
    for (const [version, error] of failures) {
      log.error(
        { err: error, segment: version.code, version: version.version },
        'a segment failed because its rule is not valid',
      );
      await failVersion(pool, version.version_id, reasonOf(error));
    }
    if (counts.mass.length > 0) onMass(counts.mass);
    if (counts.news + counts.transitions > 0) onMoved?.();
    return counts;
  }

  /** Records which buckets are failing, for the metrics and the console. A recovery is recorded at most 5 s later. */
  async #recordFailures(buckets: readonly number[], failed: readonly BucketFailure[], at: Micros): Promise<void> {
    const { pool } = this.#options;
    await noteBucketFailures(
      pool,
      failed.map(({ bucket, error }) => ({ bucket, reason: reasonOf(error) })),
      at,
    );
    if (Math.abs(at - this.#recordedAt) < retryAfter) return;
    this.#recordedAt = at;
    const failing = new Set(failed.map(({ bucket }) => bucket));
    await forgetBucketFailures(
      pool,
      buckets.filter((bucket) => !failing.has(bucket)),
    );
  }

  /** The wait also ends if the clock steps back. */
  #isHeldBack(bucket: number, at: Micros): boolean {
    const failedAt = this.#failedAt.get(bucket);
    return failedAt !== undefined && Math.abs(at - failedAt) < retryAfter;
  }
}

function sumOf(rounds: readonly RoundCounts[]): RoundCounts {
  const sum: RoundCounts = { ...nothingFound };
  for (const { news, players, transitions, more, mass, isIdle } of rounds) {
    sum.news += news;
    sum.players += players;
    sum.transitions += transitions;
    sum.more ||= more;
    sum.isIdle &&= isIdle;
    sum.mass = [...new Set([...sum.mass, ...mass])];
  }
  return sum;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
