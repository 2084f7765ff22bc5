import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Bucket, Cursor } from '../ledger/index.ts';
import { planLeases } from './lease-plan.ts';
import * as store from './lease-store.ts';

/*
 * Who applies the events of a bucket.
 *
 *            take (free, or its owner is dead): fence + 1
 *     free ----------------------------------------------> owned
 *       ^                                                    |
 *       +---- give back (above its share, or stopping) ------+   fence + 1
 *       +---- another worker takes it: the owner's beat stood still for 5 s
 *
 * Each worker raises a counter every second and watches, on its own monotonic clock, how long the counters of the others
 * have not moved: no wall clock takes part, so a clock step neither kills a worker nor keeps a dead one alive. A bucket
 * of a dead worker moves within 5 s (stillness) + 1 s (round) + 1 s (next round, when its rows were locked), below the
 * 10 s that docs/reference/design.md 3 allows.
 *
 * What this does not promise: that a worker knows that it lost a bucket. It may have been stopped for 30 s and wake in
 * the middle of a batch. That is what the fence is for: `advance` checks it inside the transaction that applies the
 * batch, and the row lock it takes holds off a new owner until that transaction has ended.
 */

const pollMs = 1_000;
/** A beat that was seen standing still for this long means dead. Five rounds: one slow answer must not move 64 buckets. */
const deadAfterMs = 5_000;
/**
 * Time between two looks counts as stillness only up to here. When nobody could look (the database was away), nobody
 * could beat either: workers that live must not bury each other when it is back.
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
  buried: number;
}

/** Thrown inside a batch's transaction, which must roll back: this worker no longer owns all of the batch's buckets. */
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
  #seen = new Map<number, { beat: number; stillMs: number }>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #round: Promise<LeaseRound> | undefined;
  #onChange: () => void;

  constructor(options: {
    pool: Pool;
    /** The name that this process gave its pool (`PoolOptions.name`), unique: by it others end its connections when it is dead. */
    process: string;
    beginning: Cursor;
    log: Logger;
    /** Milliseconds of a clock that never steps. */
    monotonic?: () => number;
    /** While it says that the clock is wrong, this worker owns nothing and counts as none: what it derives would carry wrong times. */
    guard?: ClockGuard;
    /** Called when buckets were taken or lost. */
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
        away: 'leases are neither renewed nor taken while the database is away',
        again: 'leases are renewed again',
        failed: 'a round of the leases failed; the next one tries again',
      },
    });
  }

  /** Resolves after the first round: what this worker gets at once, it owns by then. */
  start(): Promise<void> {
    return this.#rounds.start();
  }

  /** Gives everything back, so that others need not wait until this worker counts as dead. Stop the batches first. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#round?.catch(() => {});
    await this.#giveBack({ idleCursors: true }).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'leases were not given back; others take them in 5 s');
    });
    this.#owned.clear();
    this.#unstored.clear();
    this.#workerId = undefined;
  }

  /** @returns how many buckets. A batch in hand meets its fence. */
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

  /** Leaves the other workers as if this one had stopped, until its clock is right. */
  async #standAside(): Promise<LeaseRound> {
    const freed = await this.#giveBack({ idleCursors: false });
    if (freed > 0) {
      this.#log.error({ freed }, 'leases were given back: the clock of this process is wrong');
      this.#onChange();
    }
    return { taken: 0, freed, buried: 0 };
  }

  /** The buckets that this worker owns, as far as it knows. */
  owned(): ReadonlyMap<Bucket, Lease> {
    return this.#owned;
  }

  /**
   * To be called last in the transaction that applies a batch, for every bucket of which it applied events. Each move
   * names the fence under which the batch was read.
   *
   * @throws {FencedOff} when one of them has another owner by now: nothing of the batch may be committed.
   */
  async advance(tx: PoolClient, moves: readonly CursorMove[]): Promise<void> {
    const workerId = this.#workerId;
    const stored = workerId === undefined || moves.length === 0 ? [] : await store.storeCursors(tx, workerId, moves);
    if (stored.length === moves.length) return;
    const retained = new Set(stored);
    throw new FencedOff(moves.map((move) => move.bucket).filter((bucket) => !retained.has(bucket)));
  }

  /** To be called after the commit: what this worker reads next. `stored` moves went through `advance`. */
  moved(moves: readonly CursorMove[], options: { stored: boolean }): void {
    for (const { bucket, fence, cursor } of moves) {
      if (this.#owned.get(bucket)?.fence !== fence) continue;
      this.#owned.set(bucket, { fence, cursor });
      if (options.stored) this.#unstored.delete(bucket);
      else this.#unstored.add(bucket);
    }
  }

  /**
   * One round: beat, look, take or give back. `start` calls it every second. While one is under way a further call gets
   * its result: two at once could register this worker twice.
   */
  runOnce(): Promise<LeaseRound> {
    this.#round ??= this.#lookAround().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #lookAround(): Promise<LeaseRound> {
    if (this.#guard?.isWrong()) return this.#standAside();
    const workerId = await this.#beat();
    const view = await store.workersAndOwners(this.#pool);
    this.#forgetLost(workerId, view.buckets);
    const living = this.#livingOf(view.workers, workerId);
    const dead = view.workers.filter((worker) => !living.includes(worker));
    for (const worker of dead) await store.buryWorker(this.#pool, worker);
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
      this.#log.info({ taken: taken.length, freed: plan.free.length, buried: dead.length }, 'leases changed');
      this.#onChange();
    }
    return { taken: taken.length, freed: plan.free.length, buried: dead.length };
  }

  async #beat(): Promise<number> {
    if (this.#workerId !== undefined) {
      if (await store.beat(this.#pool, this.#workerId)) return this.#workerId;
      this.#log.warn('this worker was taken for dead; it starts anew');
      this.#owned.clear();
      this.#unstored.clear();
    }
    this.#workerId = await store.addWorker(this.#pool, this.#process);
    return this.#workerId;
  }

  /** The workers whose beat moved lately enough; remembers what was seen for the next look. */
  #livingOf(workers: readonly store.WorkerBeat[], me: number): store.WorkerBeat[] {
    const now = this.#monotonic();
    const step = Math.min(now - this.#lookedAt, longestStillStepMs);
    this.#lookedAt = now;
    const before = this.#seen;
    this.#seen = new Map(
      workers.map(({ worker_id, beat }) => {
        const seen = before.get(worker_id);
        return [worker_id, { beat, stillMs: seen?.beat === beat ? seen.stillMs + step : 0 }];
      }),
    );
    return workers.filter(
      ({ worker_id }) => worker_id === me || (this.#seen.get(worker_id)?.stillMs ?? 0) < deadAfterMs,
    );
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
   * Stores cursors of these buckets that moved over blocks without events of theirs. To be called by the loop that applies
   * their batches, between two of them: beside a batch it could put an older cursor over the batch's own.
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
