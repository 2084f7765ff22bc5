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
 * Lanes of one worker where much waits. A batch takes turns between this process and its database connection, each waiting for the other: one
 * lane alone leaves half of both idle. Two fill them; a third would only make batches smaller.
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
  /** Default 2. */
  lanes?: number;
}

/**
 * Derives the events of the buckets that this process owns: one lane where little waits, lanes beside each other, each with its own
 * share of the buckets, where much does (shares.ts). A lane has one batch in hand (lane.ts tells how). Buckets have nothing in common but rows that are kept once per `source`, so
 * lanes wait for each other no more than workers do.
 */
export class DeriveWorker implements Service {
  readonly #lanes: readonly DeriveLane[];

  constructor(options: DeriveWorkerOptions) {
    const { pool, ledger, leases, brands, clock, log, consumers = [], lanes = usualLanes } = options;
    const deps = {
      pool,
      ledger,
      leases,
      brands,
      clock,
      log,
      consumers,
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

  /** Finishes the batches in hand. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /** There is something new in the ledger, or the owned buckets changed. Costs nothing; a missed call costs one poll. */
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
   * One batch of each lane that has one, lane after lane. Throws when nothing could be written.
   *
   * @returns how many events they had, and how many buckets moved on: over blocks without events of theirs, too
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

  /** Tries parked events that are due, lane after lane. Running lanes do so by themselves, each between its batches. */
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
