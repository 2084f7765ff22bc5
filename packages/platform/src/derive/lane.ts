import type { Micros } from '@croupier/contracts';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../brands/index.ts';
import { type BucketLeases, type Lease, settledCursors } from '../buckets/index.ts';
import type { Clock } from '../clock.ts';
import type { Bucket, Ledger } from '../ledger/index.ts';
import { type Batch, type BatchDeps, commitBatch } from './apply/batch.ts';
import { failureOf, reasonOf } from './apply/failure.ts';
import { type RetryCounts, retryParked } from './apply/retry.ts';
import type { JournalPartitions } from './journal/index.ts';
import type { BucketShares } from './shares.ts';

/*
 * A loop that turns the ledger into state, for the buckets that are currently its share (shares.ts).
 *
 *          nothing new: wait for a hint, or `pollMs`
 *              +--<--+
 *              v     |
 *   ---> [ read ] ---+
 *           |  events of the lane's current buckets, at most `batchEvents`
 *           v
 *        [ apply ] -- committed --> notify the leases and the consumers, rest after a small batch, continue reading
 *           |
 *           +-- fenced:  the batch is dropped; the new owner of the bucket applies its events
 *           +-- outage:  wait (growing, at most `maxOutageWaitMs`), then read again from the stored cursors
 *
 * [ apply ] parks single events that cannot be applied. All other events of the batch are applied.
 *
 * It does not guarantee that the lane notices immediately when it loses a bucket. Moving the cursors in the batch's
 * transaction detects it, and then nothing of the batch is written.
 */

/**
 * Maximum number of events in one transaction. A batch costs about fifty statements regardless of its size, and events of one player and
 * game share rows. With 2,500 a backlog is processed 17% faster than with 1,000. With 4,000 it is no faster than with 2,500. Without a
 * backlog, a batch contains the events that arrived since the last batch.
 */
const batchEvents = 2_500;
/**
 * After a batch with fewer events, the lane rests briefly, so that the next batch is larger. Without the rests, lanes use 10% more CPU at
 * 1,000 events/s. This would delay segments and campaigns more than the rests do.
 */
const smallBatch = 300;
const restMs = 8;
/** The poll interval, in case a hint is lost. */
const pollMs = 250;
const retryRoundMs = 1_000;
const firstOutageWaitMs = 50;
const maxOutageWaitMs = 2_000;
/** Cursors of buckets without events move in memory. They are stored at this interval, so that a restart re-reads little. */
const storeIdleCursorsMs = 5_000;

/** What the lanes of a worker share. */
export interface LaneDeps extends BatchDeps {
  ledger: Pick<Ledger, 'beginning' | 'read' | 'reaches' | 'find'>;
  leases: Pick<BucketLeases, 'owned' | 'advance' | 'moved' | 'runOnce' | 'storeIdleCursors'>;
  brands: BrandRegistry;
  partitions: JournalPartitions;
  shares: BucketShares;
  onBatch: (ms: number) => void;
  clock: Clock;
  log: Logger;
}

export interface DeriveStatus {
  /** The number of batches since the start of this process. */
  batches: number;
  events: number;
  parked: number;
  last_commit_at: Micros | null;
  /** Set while nothing can be applied. */
  outage: { since: Micros; reason: string } | null;
}

export class DeriveLane {
  readonly #deps: LaneDeps;
  readonly #number: number;
  readonly #log: Logger;
  readonly #status: DeriveStatus = { batches: 0, events: 0, parked: 0, last_commit_at: null, outage: null };
  #loop: Promise<void> | undefined;
  #stopping = false;
  /** True if there may be something new: the next wait then ends immediately. */
  #woken = false;
  #endWait: (() => void) | undefined;
  #nextRetryAt = 0;
  #nextIdleStoreAt = 0;
  /** True after a transaction failed, perhaps after its commit: the cursors in memory may be behind the stored ones. */
  #unsure = false;

  /** @param number the index of the lane within the worker, from 0 */
  constructor(deps: LaneDeps, number: number) {
    this.#deps = deps;
    this.#number = number;
    this.#log = deps.log;
  }

  start(): void {
    this.#stopping = false;
    this.#loop ??= this.#run();
  }

  /** Resolves after the current batch is finished. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
    this.#loop = undefined;
  }

  wake(): void {
    this.#woken = true;
    this.#endWait?.();
  }

  status(): DeriveStatus {
    return this.#status;
  }

  /**
   * Applies one batch, if there is one. Throws if nothing could be written.
   *
   * @returns the number of events, and the number of buckets whose cursor moved, including moves over blocks without
   *   events of that bucket
   */
  async runOnce(): Promise<{ events: number; parked: number; moved: number }> {
    const { ledger, leases, clock } = this.#deps;
    const owned = await this.#take();
    if (owned.size === 0) return { events: 0, parked: 0, moved: 0 };
    const began = performance.now();
    const reads = await ledger.read(new Map([...owned].map(([bucket, lease]) => [bucket, lease.cursor])), batchEvents);
    const moves = reads.map(({ bucket, cursor }) => ({ bucket, fence: (owned.get(bucket) as Lease).fence, cursor }));
    const events = reads.flatMap((read) => read.events);
    const busy = new Set(events.map((event) => event.bucket));
    const stored = moves.filter((move) => busy.has(move.bucket));
    let parked = 0;
    if (events.length > 0) {
      await this.#knowBrandsOf(events);
      await this.#deps.partitions.ensure(events.map((event) => event.received_at));
      const batch = { events: events.map(this.#deps.read), moves: stored, source: Math.min(...owned.keys()) };
      parked = await this.#commit(batch, clock());
      leases.moved(stored, { stored: true });
      this.#deps.onBatch(performance.now() - began);
      for (const consumer of this.#deps.consumers) consumer.onCommitted?.();
    }
    leases.moved(
      moves.filter((move) => !busy.has(move.bucket)),
      { stored: false },
    );
    if (performance.now() >= this.#nextIdleStoreAt) {
      await leases.storeIdleCursors([...owned.keys()]);
      this.#nextIdleStoreAt = performance.now() + storeIdleCursorsMs;
    }
    this.#deps.shares.done(this.#number, events.length);
    return { events: events.length, parked, moved: moves.length };
  }

  /** Retries parked events that are due. Only call it between batches of this lane. */
  async retryOnce(): Promise<RetryCounts> {
    const owned = await this.#take();
    if (owned.size === 0) return { tried: 0, applied: 0, failed: 0 };
    const counts = await retryParked(this.#deps, owned, this.#deps.clock());
    this.#deps.shares.giveBack(this.#number);
    return counts;
  }

  /**
   * Takes the buckets that this lane works on until it is `done` or takes again. After a failed step the lane keeps its
   * buckets until their cursors are certain.
   */
  async #take(): Promise<ReadonlyMap<Bucket, Lease>> {
    const { shares, leases } = this.#deps;
    if (this.#unsure) await this.#trustStoredCursors();
    return this.#leasesOf(shares.take(this.#number, leases.owned().keys()));
  }

  #leasesOf(buckets: ReadonlySet<Bucket>): ReadonlyMap<Bucket, Lease> {
    return new Map([...this.#deps.leases.owned()].filter(([bucket]) => buckets.has(bucket)));
  }

  async #commit(batch: Batch, now: Micros): Promise<number> {
    this.#unsure = true;
    const { parked } = await commitBatch(this.#deps, batch, now);
    this.#unsure = false;
    if (parked.length > 0) this.#log.warn({ parked: parked.length, reason: parked[0]?.reason }, 'events were parked');
    this.#status.batches += 1;
    this.#status.events += batch.events.length;
    this.#status.parked += parked.length;
    this.#status.last_commit_at = now;
    return parked.length;
  }

  /**
   * If a connection breaks at the commit, it is unknown whether the batch was committed. The stored cursors show
   * this: if they are ahead, the batch was committed. Applying it again would change no fact, but would record every event
   * twice in the journal.
   */
  async #trustStoredCursors(): Promise<void> {
    const { pool, ledger, leases, shares } = this.#deps;
    const inHand = this.#leasesOf(shares.inHand(this.#number));
    const stored = await settledCursors(pool, [...inHand.keys()], ledger.beginning);
    for (const [bucket, cursor] of stored) {
      const lease = leases.owned().get(bucket);
      if (lease === undefined || ledger.reaches(lease.cursor, cursor)) continue;
      leases.moved([{ bucket, fence: lease.fence, cursor }], { stored: true });
    }
    this.#unsure = false;
  }

  /** A new brand may be known to the api process that accepted the event, but not in this process yet. */
  async #knowBrandsOf(events: readonly { brand_id: number }[]): Promise<void> {
    const { brands } = this.#deps;
    if (events.some(({ brand_id }) => brands.byId(brand_id) === undefined)) await brands.refresh();
  }

  async #run(): Promise<void> {
    let outageWaitMs = firstOutageWaitMs;
    while (!this.#stopping) {
      this.#woken = false;
      try {
        const { moved, events } = await this.runOnce();
        if (performance.now() >= this.#nextRetryAt) {
          await this.retryOnce();
          this.#nextRetryAt = performance.now() + retryRoundMs;
        }
        this.#recovered();
        outageWaitMs = firstOutageWaitMs;
        if (moved === 0) await this.#wait(pollMs, { untilWoken: true });
        else if (events < smallBatch) await this.#wait(restMs, { untilWoken: false });
      } catch (error) {
        await this.#failed(error, outageWaitMs);
        outageWaitMs = Math.min(outageWaitMs * 2, maxOutageWaitMs);
      }
    }
  }

  async #failed(error: unknown, waitMs: number): Promise<void> {
    // Another process may have dropped a partition of the journal that this process knew. The next batch creates it
    // again.
    this.#deps.partitions.forget();
    if (failureOf(error) === 'fenced') {
      this.#log.warn({ err: error }, 'a batch was dropped because another worker now owns its buckets');
      await this.#deps.leases.runOnce().catch(() => {});
      return;
    }
    if (this.#status.outage === null) {
      this.#log.error({ err: error }, 'events cannot currently be derived; retrying until it works');
      this.#status.outage = { since: this.#deps.clock(), reason: reasonOf(error) };
    }
    await this.#wait(waitMs, { untilWoken: false });
  }

  #recovered(): void {
    if (this.#status.outage === null) return;
    this.#log.info({ since: this.#status.outage.since }, 'events are derived again');
    this.#status.outage = null;
  }

  async #wait(ms: number, { untilWoken }: { untilWoken: boolean }): Promise<void> {
    if (this.#stopping || (untilWoken && this.#woken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endWait = () => {
        if (!untilWoken && !this.#stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endWait = undefined;
  }
}
