import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../brands/index.ts';
import type { BucketLeases } from '../buckets/index.ts';
import type { Clock } from '../clock.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Service } from '../service.ts';
import type { RetryCounts } from './apply/retry.ts';
import { Suspects } from './apply/suspects.ts';
import type { DeriveConsumer } from './consumer.ts';
import { JournalPartitions } from './journal/index.ts';
import { DeriveLane, type DeriveStatus } from './lane.ts';
import { PlayerIds } from './players/index.ts';
import { readLedgerEvent } from './read.ts';
import { BucketShares } from './shares.ts';

/**
 * The default number of lanes when the backlog is large. While a batch is processed, either this process or its database connection waits
 * for the other. So with one lane each is idle half of the time. Two lanes use both fully. A third lane would only make batches smaller.
 */
const usualLanes = 2;

export interface DeriveWorkerOptions {
  pool: Pool;
  ledger: Pick<Ledger, 'beginning' | 'read' | 'reaches' | 'find'>;
  leases: Pick<BucketLeases, 'owned' | 'advance' | 'moved' | 'runOnce' | 'storeIdleCursors'>;
  brands: BrandRegistry;
  clock: Clock;
  log: Logger;
  consumers?: readonly DeriveConsumer[];
  /** Called after each batch with the time that it took, in milliseconds. */
  onBatch?: (ms: number) => void;
  /** Default 2. */
  lanes?: number;
}

/**
 * Derives the events of the buckets that this process owns. With a small backlog one lane does it; with a large one
 * several lanes do, each with its own share of the buckets (shares.ts). A lane processes one batch at a time (see
 * lane.ts). Buckets share only rows that exist once per `source`, so lanes rarely wait for each other, as with separate
 * workers.
 */
export class DeriveWorker implements Service {
  readonly #lanes: readonly DeriveLane[];

  constructor(options: DeriveWorkerOptions) {
    const {
      pool,
      ledger,
      leases,
      brands,
      clock,
      log,
      consumers = [],
      onBatch = () => {},
      lanes = usualLanes,
    } = options;
    const deps = {
      pool,
      ledger,
      leases,
      brands,
      clock,
      log,
      consumers,
      onBatch,
      partitions: new JournalPartitions(pool),
      ids: new PlayerIds(brands),
      suspects: new Suspects(),
      shares: new BucketShares(lanes, () => this.wake()),
      triggerAge: (brandId: number) => (brands.byId(brandId)?.settings.trigger_age_minutes ?? 0) * 60_000_000,
      read: (event: Parameters<typeof readLedgerEvent>[0]) => readLedgerEvent(event, brands.byId(event.brand_id)),
    };
    this.#lanes = Array.from({ length: lanes }, (_, number) => new DeriveLane(deps, number));
  }

  async start(): Promise<void> {
    for (const lane of this.#lanes) lane.start();
  }

  /** Resolves after the current batches are finished. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /**
   * Call it if the ledger has something new, or if the owned buckets changed. The call is cheap. If it is missed, the
   * next poll finds the work.
   */
  wake(): void {
    for (const lane of this.#lanes) lane.wake();
  }

  status(): DeriveStatus {
    const all = this.#lanes.map((lane) => lane.status());
    const sum = (of: (status: DeriveStatus) => number) => all.reduce((total, status) => total + of(status), 0);
    const commits = all.flatMap(({ last_commit_at }) => last_commit_at ?? []);
    const outages = all.flatMap(({ outage }) => outage ?? []).sort((a, b) => a.since - b.since);
    return {
      batches: sum(({ batches }) => batches),
      events: sum(({ events }) => events),
      parked: sum(({ parked }) => parked),
      last_commit_at: commits.length === 0 ? null : Math.max(...commits),
      outage: outages[0] ?? null,
    };
  }

  /**
   * Applies one batch of each lane that has one, lane after lane. Throws if nothing could be written.
   *
   * @returns the number of events, and the number of buckets whose cursor moved, including moves over blocks without
   *   events of that bucket
   */
  async runOnce(): Promise<{ events: number; parked: number; moved: number }> {
    const counts = { events: 0, parked: 0, moved: 0 };
    for (const lane of this.#lanes) {
      const { events, parked, moved } = await lane.runOnce();
      counts.events += events;
      counts.parked += parked;
      counts.moved += moved;
    }
    return counts;
  }

  /** Retries parked events that are due, lane after lane. Running lanes do this themselves between their batches. */
  async retryOnce(): Promise<RetryCounts> {
    const counts: RetryCounts = { tried: 0, applied: 0, failed: 0 };
    for (const lane of this.#lanes) {
      const { tried, applied, failed } = await lane.retryOnce();
      counts.tried += tried;
      counts.applied += applied;
      counts.failed += failed;
    }
    return counts;
  }
}
