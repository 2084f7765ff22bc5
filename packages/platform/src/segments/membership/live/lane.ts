import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../../brands/index.ts';
import type { BucketLeases } from '../../../buckets/index.ts';
import { type ClockGuard, IdlePolls, Rounds } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import {
  isContentFailure,
  isDatabaseAway,
  loggable,
  refusedValue,
  unprocessableReason,
} from '../../../database/index.ts';
import type { Service } from '../../../service.ts';
import type { ActiveVersion } from '../active/active-version.ts';
import { ActiveVersions } from '../active/registry.ts';
import type { RuleReading } from '../rule-reading.ts';
import { failVersion } from '../versions/store.ts';
import { type BucketFailure, runSeparately } from './apart.ts';
import { forgetBucketFailures, noteBucketFailures } from './bucket-failures.ts';
import { HeldBackPlayers, mostHeldBack } from './held-back.ts';
import { isIdle } from './idle.ts';
import { type IsolatedCounts, type PlayerFailure, runIsolatedRound } from './isolate.ts';
import { EvaluationFailed } from './player.ts';
import { forgetPlayerFailures, notePlayerFailures, readPlayerFailures } from './player-failures.ts';
import { nothingFound, type RoundCounts, type RoundDeps, runRound } from './round.ts';

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

/**
 * If so many players are held back because of one version, not counting those who failed before this process began, and no player was ever evaluated for it by this process, the cause is not in
 * their data. Then the version fails, and the players are tried again.
 */
const mostFailuresOfVersion = 5;

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
  readonly #heldBack = new HeldBackPlayers();
  /** The buckets whose stored failures of players have been read. */
  #restored: ReadonlySet<number> = new Set();
  /** The versions that were evaluated for some player. */
  readonly #evaluated = new Set<number>();
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
    const owned = leases.owned();
    const buckets = [...owned.keys()].filter((bucket) => !this.#isHeldBack(bucket, at));
    await this.#restore(new Set(owned.keys()));
    const retried = await this.#retry(deps, at);
    const { results: found, failures: failed } = await runSeparately(buckets, async (some) => {
      const { ids } = this.#heldBack;
      const rounds = await runIsolatedRound(deps, some, clock, ids, mostHeldBack - ids.length);
      for (const { player_id, error } of rounds.flatMap((one) => one.failed))
        this.#heldBack.hold(player_id, versionOf(error), at);
      return rounds;
    });
    const results = [...retried, ...found.flat()];
    for (const { evaluated } of results) for (const version_id of evaluated) this.#evaluated.add(version_id);
    const failedPlayers = results.flatMap((one) => one.failed);
    this.#failVersions([...failedPlayers, ...failed], failures);
    for (const bucket of buckets) this.#failedAt.delete(bucket);
    for (const { bucket } of failed) this.#failedAt.set(bucket, at);
    if (failed.length > 0)
      log.error(
        { ...loggable(failed[0]?.error), buckets: failed.map(({ bucket }) => bucket) },
        'updating segments of these buckets failed; will retry; other buckets continue',
      );
    for (const { player_id, error } of failedPlayers)
      log.error(
        { player_id, reason: refusedValue(error), ...loggable(error) },
        'updating segments of a player failed; will retry; all other players continue',
      );
    await this.#recordFailures(buckets, { failed, failedPlayers }, at);
    const counts = sumOf(results);
    for (const [version, error] of failures) {
      log.error(
        { err: error, segment: version.code, version: version.version },
        'a segment failed because its rule cannot be evaluated',
      );
      await failVersion(pool, version.version_id, reasonOf(error));
    }
    if (counts.mass.length > 0) onMass(counts.mass);
    if (counts.news + counts.transitions > 0) onMoved?.();
    return counts;
  }

  /** Holds back the players who failed at the former owner of a bucket, and releases those of buckets that other workers process now. */
  async #restore(owned: ReadonlySet<number>): Promise<void> {
    this.#heldBack.keepOnly(owned);
    const added = [...owned].filter((bucket) => !this.#restored.has(bucket));
    const room = Math.max(0, mostHeldBack - this.#heldBack.ids.length);
    if (added.length > 0)
      for (const { player_id, failures, failed_at } of await readPlayerFailures(this.#options.pool, added, room))
        this.#heldBack.restore(player_id, { failures, failedAt: failed_at });
    this.#restored = owned;
  }

  /** Retries the players who were held back, each in a separate round. */
  async #retry(deps: RoundDeps, at: Micros): Promise<IsolatedCounts[]> {
    const results: IsolatedCounts[] = [];
    for (const player_id of this.#heldBack.due(at)) {
      try {
        const counts = await runRound(deps, [player_id % 64], this.#options.clock, { players: [player_id] });
        this.#heldBack.release(player_id);
        results.push({ ...counts, failed: [] });
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        // For example, a deadlock. It must not delay the other players of the worker.
        if (!isContentFailure(error)) {
          this.#heldBack.postpone(player_id, at);
          continue;
        }
        this.#heldBack.hold(player_id, versionOf(error), at);
        results.push({ ...nothingFound, isIdle: false, failed: [{ player_id, error }] });
      }
    }
    return results;
  }

  /** Adds the versions that fail for every player to `failures`, and releases these players. A bucket fails if many of its players do. */
  #failVersions(failed: readonly (PlayerFailure | BucketFailure)[], failures: Map<ActiveVersion, unknown>): void {
    for (const one of failed) {
      if (!(one.error instanceof EvaluationFailed)) continue;
      const { version, cause } = one.error;
      const players = this.#heldBack.of(version.version_id);
      const isEverywhere = 'bucket' in one || players.length >= mostFailuresOfVersion;
      if (!isEverywhere || this.#evaluated.has(version.version_id)) continue;
      failures.set(version, cause);
      for (const player_id of players) this.#heldBack.release(player_id);
    }
  }

  /** Records which buckets and players are failing, for the metrics and the console. A recovery is recorded at most 5 s later. */
  async #recordFailures(
    buckets: readonly number[],
    { failed, failedPlayers }: { failed: readonly BucketFailure[]; failedPlayers: readonly PlayerFailure[] },
    at: Micros,
  ): Promise<void> {
    const { pool } = this.#options;
    await noteBucketFailures(
      pool,
      failed.map(({ bucket, error }) => ({ bucket, reason: reasonOf(error) })),
      at,
    );
    await notePlayerFailures(
      pool,
      failedPlayers.map(({ player_id, error }) => ({ player_id, reason: unprocessableReason(error) })),
      at,
    );
    if (Math.abs(at - this.#recordedAt) < retryAfter) return;
    this.#recordedAt = at;
    const failing = new Set(failed.map(({ bucket }) => bucket));
    await forgetBucketFailures(
      pool,
      buckets.filter((bucket) => !failing.has(bucket)),
    );
    await forgetPlayerFailures(
      pool,
      buckets.filter((bucket) => !failing.has(bucket)),
      this.#heldBack.ids,
    );
  }

  /** The wait also ends if the clock steps back. */
  #isHeldBack(bucket: number, at: Micros): boolean {
    const failedAt = this.#failedAt.get(bucket);
    return failedAt !== undefined && Math.abs(at - failedAt) < retryAfter;
  }
}

function versionOf(error: unknown): number | null {
  return error instanceof EvaluationFailed ? error.version.version_id : null;
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
