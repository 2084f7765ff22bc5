import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../../brands/index.ts';
import type { BucketLeases } from '../../../buckets/index.ts';
import { type ClockGuard, Rounds } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import type { Service } from '../../../service.ts';
import type { ActiveVersion } from '../active/active-version.ts';
import { ActiveVersions } from '../active/registry.ts';
import type { RuleReading } from '../rule-reading.ts';
import { failVersion } from '../versions/store.ts';
import { type RoundCounts, runRound } from './round.ts';

/** Finds what the clock makes due, and what other processes noted; events and look-ups of this process wake the lane. */
const pollMs = 200;
/** Between two rounds: what comes meanwhile goes into the next one together. Each costs a dozen statements whatever it holds. */
const restMs = 25;

export interface SegmentLaneOptions {
  pool: Pool;
  leases: Pick<BucketLeases, 'owned'>;
  brands: BrandRegistry;
  rules: RuleReading;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Told of versions with more due at once than players should be looked at one by one. */
  onMass(versions: readonly number[]): void;
}

/**
 * Keeps membership of the players whose buckets this worker owns: within a moment of an event, a look-up or a tag, and at the moment when
 * time alone changes an answer. The lease says who works; that nobody else works beside is made sure by locks of the transaction itself,
 * so a worker that was stopped and wakes does no harm.
 */
export class SegmentLane implements Service {
  readonly #options: SegmentLaneOptions;
  readonly #active: ActiveVersions;
  readonly #rounds: Rounds<RoundCounts>;

  constructor(options: SegmentLaneOptions) {
    this.#options = options;
    this.#active = new ActiveVersions(options);
    this.#rounds = new Rounds<RoundCounts>({
      name: 'segments',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isMore: ({ more }) => more,
      pollMs,
      restMs,
      log: options.log,
      words: {
        away: 'segments wait while the database is away',
        again: 'segments follow events again',
        failed: 'a round of segments failed; the next one tries again',
      },
    });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  readonly wake = (): void => this.#rounds.wake();

  /** One round. */
  async runOnce(): Promise<RoundCounts> {
    const { pool, leases, brands, rules, clock, log, onMass } = this.#options;
    const failures = new Map<ActiveVersion, unknown>();
    const deps = {
      pool,
      brands,
      rules,
      active: this.#active,
      onFailure: (version: ActiveVersion, error: unknown) => void failures.set(version, error),
    };
    const counts = await runRound(deps, [...leases.owned().keys()], clock);
    for (const [version, error] of failures) {
      log.error(
        { err: error, segment: version.code, version: version.version },
        'a segment failed: its rule cannot be read',
      );
      await failVersion(pool, version.version_id, reasonOf(error));
    }
    if (counts.mass.length > 0) onMass(counts.mass);
    return counts;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
