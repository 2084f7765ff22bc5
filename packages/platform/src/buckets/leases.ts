import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Bucket, Cursor } from '../ledger/index.ts';
import { planLeases } from './lease-plan.ts';
import * as store from './lease-store.ts';

/*
 * Decides which worker applies the events of a bucket.
 *
 *            take (free, or its owner is dead): fence + 1
 *     free ----------------------------------------------> owned
 *       ^                                                    |
 *       +---- give back (above its share, or stopping) ------+   fence + 1
 *       +---- another worker takes it: the owner's heartbeat stopped for 5 s, or for 1.5 s without any connection
 *
 * Each worker raises a counter every second. On its own monotonic clock, it watches how long the counters of the others
 * have not moved. No wall clock is used. Therefore, when a wall clock is changed, no living worker counts as dead, and
 * no dead worker counts as alive. A bucket of a dead worker moves within 5 s (stillness) + 1 s (round) + 1 s (next
 * round, if its rows were locked). That is less than the 10 s that docs/reference/design.md 3 allows. The operating
 * system closes the connections of a process that ends, even if it was killed, so its buckets move within 1.5 s + 2 s.
 * If a machine fails or is cut off, its connections stay open.
 *
 * A worker may not know that it lost a bucket: it may have been suspended for 30 s, and wake up in the middle of a batch.
 * The fence exists for this case. `advance` checks it inside the transaction that
 * applies the batch, and the row lock it takes makes a new owner wait until that transaction has ended.
 */

const pollMs = 1_000;
/**
 * A worker whose heartbeat did not move for this long is dead. That is five rounds, because one slow answer must not
 * move 64 buckets.
 */
const deadAfterMs = 5_000;
/** A worker that has had no connection for this long is dead. It is three rounds, because the worker may just be connecting again. */
const goneAfterMs = 1_500;
/**
 * The time between two checks counts as stillness only up to this limit. If no worker could check (the database was
 * unavailable), none could send a heartbeat either. Living workers must not remove each other afterwards.
 */
const longestStillStepMs = 1_500;

export interface Lease {
  readonly fence: number;
  readonly cursor: Cursor;
}

export interface CursorMove {
  bucket: Bucket;
  fence: number;
  cursor: Cursor;
}

/** What one round changed, in buckets and workers. */
export interface LeaseRound {
  taken: number;
  freed: number;
  dead: number;
}

/** Thrown inside a batch's transaction, which must roll back: this worker no longer owns all buckets of the batch. */
export class FencedOff extends Error {
  override name = 'FencedOff';
  readonly buckets: readonly Bucket[];
  constructor(buckets: readonly Bucket[]) {
    super(`buckets ${buckets.join(', ')} belong to another worker now`);
    this.buckets = buckets;
  }
}

export class BucketLeases {
  #pool: Pool;
  #process: string;
  #beginning: Cursor;
  #log: Logger;
  #monotonic: () => number;
  readonly #guard: ClockGuard | undefined;
  readonly #rounds: Rounds;
  #workerId: number | undefined;
  #owned = new Map<Bucket, Lease>();
  #unstored = new Set<Bucket>();
  #seen = new Map<number, { beat: number; stillMs: number; gone: boolean; goneMs: number }>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #round: Promise<LeaseRound> | undefined;
  #onChange: () => void;

  constructor(options: {
    pool: Pool;
    /**
     * The unique name that this process gave its pool (`PoolOptions.name`). Others use it to end its connections when
     * it is dead.
     */
    process: string;
    beginning: Cursor;
    log: Logger;
    /** Milliseconds of a clock that never steps. */
    monotonic?: () => number;
    /**
     * While the guard reports a wrong clock, this worker owns no buckets and does not count as alive, because it would derive wrong times.
     */
    guard?: ClockGuard;
    /** Called after buckets were taken or lost. */
    onChange?: () => void;
  }) {
    this.#pool = options.pool;
    this.#process = options.process;
    this.#beginning = options.beginning;
    this.#log = options.log;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#onChange = options.onChange ?? (() => {});
    this.#guard = options.guard;
    this.#rounds = new Rounds({
      runOnce: () => this.runOnce(),
      isFirstAwaited: true,
      pollMs,
      log: options.log,
      words: {
        away: 'leases are neither renewed nor taken: the database is unavailable',
        again: 'leases are renewed again',
        failed: 'renewing leases failed; will retry in the next round',
      },
    });
  }

  /** Resolves after the first round. By then this worker owns what it can get immediately. */
  start(): Promise<void> {
    return this.#rounds.start();
  }

  /** Gives everything back, so that others need not wait until this worker counts as dead. Stop the batches first. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#round?.catch(() => {});
    await this.#giveBack({ idleCursors: true }).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'leases were not released; other workers take them in 5 s');
    });
    this.#owned.clear();
    this.#unstored.clear();
    this.#workerId = undefined;
  }

  /** Gives back all buckets. A running batch then fails at its fence. @returns the number of buckets */
  async #giveBack({ idleCursors }: { idleCursors: boolean }): Promise<number> {
    const workerId = this.#workerId;
    if (workerId === undefined) return 0;
    const buckets = [...this.#owned.keys()];
    if (idleCursors) await this.storeIdleCursors(buckets);
    for (const bucket of buckets) this.#forget(bucket);
    await store.freeBuckets(this.#pool, workerId, buckets);
    await store.removeWorker(this.#pool, workerId);
    this.#workerId = undefined;
    return buckets.length;
  }

  /** Leaves all buckets to the other workers until its clock is right. */
  async #releaseAll(): Promise<LeaseRound> {
    const freed = await this.#giveBack({ idleCursors: false });
    if (freed > 0) {
      this.#log.error({ freed }, 'leases were released because the clock of this process is wrong');
      this.#onChange();
    }
    return { taken: 0, freed, dead: 0 };
  }

  /** The buckets that this worker owns, as far as it knows. */
  owned(): ReadonlyMap<Bucket, Lease> {
    return this.#owned;
  }

  /**
   * Call this last in the transaction that applies a batch, for every bucket of which it applied events. Each move
   * contains the fence under which the batch was read.
   *
   * @throws {FencedOff} if one of them has another owner by now: nothing of the batch may be committed
   */
  async advance(tx: PoolClient, moves: readonly CursorMove[]): Promise<void> {
    const workerId = this.#workerId;
    const stored = workerId === undefined || moves.length === 0 ? [] : await store.storeCursors(tx, workerId, moves);
    if (stored.length === moves.length) return;
    const retained = new Set(stored);
    throw new FencedOff(moves.map((move) => move.bucket).filter((bucket) => !retained.has(bucket)));
  }

  /** Call this after the commit. It sets what this worker reads next. Pass `stored: true` if `advance` stored the moves. */
  moved(moves: readonly CursorMove[], options: { stored: boolean }): void {
    for (const { bucket, fence, cursor } of moves) {
      if (this.#owned.get(bucket)?.fence !== fence) continue;
      this.#owned.set(bucket, { fence, cursor });
      if (options.stored) this.#unstored.delete(bucket);
      else this.#unstored.add(bucket);
    }
  }

  /**
   * Runs one round: heartbeat, check, take or give back. `start` calls it every second. A call during a running round
   * gets its result, because two at once could register this worker twice.
   */
  runOnce(): Promise<LeaseRound> {
    this.#round ??= this.#runRound().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #runRound(): Promise<LeaseRound> {
    if (this.#guard?.isWrong()) return this.#releaseAll();
    const workerId = await this.#beat();
    const view = await store.workersAndOwners(this.#pool);
    this.#forgetLost(workerId, view.buckets);
    const living = this.#livingOf(view.workers, workerId);
    const dead = view.workers.filter((worker) => !living.includes(worker));
    for (const worker of dead) await store.removeDeadWorker(this.#pool, worker);
    const plan = planLeases({ me: workerId, living, buckets: view.buckets });
    if (plan.free.length > 0) {
      for (const bucket of plan.free) this.#forget(bucket);
      await store.freeBuckets(this.#pool, workerId, plan.free);
    }
    const taken = plan.take.length > 0 ? await store.takeBuckets(this.#pool, workerId, plan.take) : [];
    for (const { bucket, fence, cursor } of taken) {
      this.#owned.set(bucket, { fence, cursor: cursor ?? this.#beginning });
    }
    if (taken.length + plan.free.length + dead.length > 0) {
      this.#log.info({ taken: taken.length, freed: plan.free.length, dead: dead.length }, 'leases changed');
      this.#onChange();
    }
    return { taken: taken.length, freed: plan.free.length, dead: dead.length };
  }

  async #beat(): Promise<number> {
    if (this.#workerId !== undefined) {
      if (await store.beat(this.#pool, this.#workerId)) return this.#workerId;
      this.#log.warn('this worker was considered dead; it registers again');
      this.#owned.clear();
      this.#unstored.clear();
    }
    this.#workerId = await store.addWorker(this.#pool, this.#process);
    return this.#workerId;
  }

  /** The workers whose heartbeat moved recently enough. It remembers what it saw for the next check. */
  #livingOf(workers: readonly store.SeenWorker[], me: number): store.SeenWorker[] {
    const now = this.#monotonic();
    const step = Math.min(now - this.#lookedAt, longestStillStepMs);
    this.#lookedAt = now;
    const before = this.#seen;
    this.#seen = new Map(
      workers.map(({ worker_id, beat, gone }) => {
        const seen = before.get(worker_id);
        const isStill = seen?.beat === beat;
        const stillMs = isStill ? seen.stillMs + step : 0;
        return [worker_id, { beat, stillMs, gone, goneMs: isStill && gone && seen.gone ? seen.goneMs + step : 0 }];
      }),
    );
    return workers.filter(({ worker_id }) => {
      const { stillMs = 0, goneMs = 0 } = this.#seen.get(worker_id) ?? {};
      return worker_id === me || (stillMs < deadAfterMs && goneMs < goneAfterMs);
    });
  }

  #forgetLost(workerId: number, buckets: readonly store.BucketOwner[]): void {
    for (const { bucket, worker_id, fence } of buckets) {
      const lease = this.#owned.get(bucket);
      if (lease && (worker_id !== workerId || lease.fence !== fence)) this.#forget(bucket);
    }
  }

  #forget(bucket: Bucket): void {
    this.#owned.delete(bucket);
    this.#unstored.delete(bucket);
  }

  /**
   * Stores the cursors of these buckets if they have moved over blocks that contain no events of the bucket. The loop
   * that applies their batches calls this between two batches: during a batch it could overwrite the batch's cursor
   * with an older one.
   */
  async storeIdleCursors(buckets: readonly Bucket[]): Promise<void> {
    const workerId = this.#workerId;
    if (workerId === undefined) return;
    const moves = buckets.flatMap((bucket) => {
      const lease = this.#owned.get(bucket);
      return lease && this.#unstored.has(bucket) ? [{ bucket, ...lease }] : [];
    });
    if (moves.length === 0) return;
    for (const bucket of await store.storeCursors(this.#pool, workerId, moves)) this.#unstored.delete(bucket);
  }
}
