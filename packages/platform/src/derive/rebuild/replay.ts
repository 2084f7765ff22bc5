import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import {
  type Bucket,
  type Cursor,
  type Ledger,
  type LedgerEvent,
  playerHash,
  type SoughtPosition,
} from '../../ledger/index.ts';
import { positionName } from '../journal/index.ts';
import { parkedAmong } from '../parking/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../read.ts';
import type { Shadow } from './shadow.ts';

export type RebuildScope =
  | { of: 'everything' }
  | { of: 'brand'; brand_id: number }
  | { of: 'player'; brand_id: number; user_id: string };

export interface ReplayOptions {
  ledger: Ledger;
  brands: { byId(brandId: number): Brand | undefined };
  clock: Clock;
  scope: RebuildScope;
  signal?: AbortSignal | undefined;
  onStep: () => void;
}

/**
 * The number of events applied to the shadow in one transaction, and read from the ledger at once. No more are in
 * memory at a time.
 */
const eventsPerStep = 2_000;
/** Maximum number of events in the report of those that could not be applied. Players of further ones are found as differences anyway. */
const maxFailures = 1_000;

type Db = Pool | ClientBase;

/**
 * Brings a shadow to exactly the events that the live state contains. These are the events that the buckets' cursors cover,
 * except parked ones. An event is parked because it cannot be applied, or because it is too old and was not imported.
 *
 * Each step queries which of its events are parked, and a table of the shadow stores the skipped ones, so neither needs
 * memory, however many there are.
 */
export class Replay {
  readonly #shadow: Shadow;
  readonly #options: ReplayOptions;
  /** The number of events applied so far. */
  events = 0;
  readonly failures: { user_id: string; reason: string }[] = [];

  constructor(shadow: Shadow, options: ReplayOptions) {
    this.#shadow = shadow;
    this.#options = options;
  }

  /** Applies everything in the ledger up to the cursors. */
  async applyUpTo(db: Db, upTo: ReadonlyMap<Bucket, Cursor>): Promise<void> {
    const { scope, ledger, signal, onStep } = this.#options;
    if (scope.of !== 'player') return this.applyBetween(db, new Map(), upTo);
    // The ledger finds the events of one player without reading all the others.
    const player_hash = playerHash(scope.brand_id, scope.user_id);
    for await (const page of ledger.history({ brand_id: scope.brand_id, player_hash })) {
      signal?.throwIfAborted();
      await this.#takeIn(db, page, upTo);
      onStep();
    }
  }

  /**
   * Applies the events between two cursors of each bucket. A read may go past the later cursor. Events that the later
   * cursor does not cover are left out.
   *
   * @param db shows which events are parked, as of the later cursors or later
   */
  async applyBetween(db: Db, from: ReadonlyMap<Bucket, Cursor>, upTo: ReadonlyMap<Bucket, Cursor>): Promise<void> {
    const { ledger, signal, onStep } = this.#options;
    const cursors = new Map([...upTo.keys()].map((bucket) => [bucket, from.get(bucket) ?? ledger.beginning]));
    const hasArrived = ([bucket, cursor]: [Bucket, Cursor]) => ledger.reaches(cursor, upTo.get(bucket) ?? cursor);
    while (![...cursors].every(hasArrived)) {
      signal?.throwIfAborted();
      const reads = await ledger.read(cursors, eventsPerStep);
      if (reads.length === 0) break;
      for (const read of reads) cursors.set(read.bucket, read.cursor);
      await this.#takeIn(
        db,
        reads.flatMap((read) => read.events),
        upTo,
      );
      onStep();
    }
  }

  /** Applies events of a bucket that were skipped and are no longer parked: the live state contains them now. */
  async applyReleased(db: Db, bucket: Bucket): Promise<void> {
    const { ledger, signal } = this.#options;
    for (let after: SoughtPosition | undefined; ; ) {
      signal?.throwIfAborted();
      const page = await this.#shadow.leftOut(bucket, after, eventsPerStep);
      after = page.at(-1);
      if (after === undefined) return;
      const parked = new Set((await parkedAmong(db, page)).map(positionName));
      const released = page.filter((position) => !parked.has(positionName(position)));
      if (released.length === 0) continue;
      await this.#apply(await ledger.at(released));
      await this.#shadow.forget(released);
    }
  }

  async #takeIn(db: Db, events: readonly LedgerEvent[], upTo: ReadonlyMap<Bucket, Cursor>): Promise<void> {
    const { ledger } = this.#options;
    const due = events.filter((event) => {
      const bound = upTo.get(event.bucket);
      return bound !== undefined && this.#isInScope(event) && ledger.covers(bound, event.position);
    });
    const parked = new Set(
      (
        await parkedAmong(
          db,
          due.map(({ position }) => position),
        )
      ).map(positionName),
    );
    const isParked = ({ position }: LedgerEvent) => parked.has(positionName(position));
    await this.#shadow.leaveOut(due.filter(isParked));
    await this.#apply(due.filter((event) => !isParked(event)));
  }

  async #apply(events: readonly LedgerEvent[]): Promise<void> {
    const { brands, clock } = this.#options;
    const readable = events.flatMap((event): ReadableEvent[] => {
      const reading = readLedgerEvent(event, brands.byId(event.brand_id));
      return reading.ok && this.#isOfPlayer(reading.readable) ? [reading.readable] : [];
    });
    for (const { event, reason } of await this.#shadow.apply(readable, clock())) {
      if (this.failures.length === maxFailures) break;
      this.failures.push({ user_id: event.event.user_id, reason });
    }
    this.events += readable.length;
  }

  #isInScope({ brand_id, player_hash }: LedgerEvent): boolean {
    const { scope } = this.#options;
    if (scope.of === 'everything') return true;
    if (brand_id !== scope.brand_id) return false;
    return scope.of === 'brand' || player_hash === playerHash(scope.brand_id, scope.user_id);
  }

  /** Two players may share a hash, so this compares the user_id in the body. */
  #isOfPlayer({ event }: ReadableEvent): boolean {
    const { scope } = this.#options;
    return scope.of !== 'player' || event.user_id === scope.user_id;
  }
}
