import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import {
  type Bucket,
  bucketCount,
  bucketOf,
  type Cursor,
  type Ledger,
  type LedgerEvent,
  playerHash,
  storedCursors,
} from '../../ledger/index.ts';
import { enterLiveAlone } from '../apply/batch.ts';
import { positionName } from '../journal/index.ts';
import { type ReadableEvent, readLedgerEvent } from '../read.ts';
import { stateHashes } from '../state-hash.ts';
import { type Difference, differencesOf } from './compare.ts';
import { Shadow } from './shadow.ts';
import * as store from './store.ts';

/*
 * Recomputes derived state from the ledger, beside the live one, and compares the two (design.md 2.3):
 *
 *   1. apply the ledger from its beginning to a shadow schema, as far as the live state had come at the start
 *   2. bucket by bucket: open a snapshot of the live state, which holds the bucket's cursor together with all that was
 *      derived up to it; apply what lies between to the shadow; compare hashes player by player
 *   3. if asked: in a transaction that holds off batches, catch up once more, compare the differing players again, and
 *      put their rebuilt rows in the place of the live ones
 *
 * Comparing stops nobody, because a snapshot is consistent by itself (docs/decisions/0302). Only the exchange of step 3
 * makes batches wait, for as long as it takes to replace the rows of one bucket's differing players.
 *
 * Parked events are no part of the live state, so they are no part of the rebuilt one. Events applied twice to the shadow
 * do no harm: that is what derivations promise.
 */

/** Events applied to the shadow in one transaction, and asked of the ledger at once. */
const eventsPerStep = 2_000;
/** Players whose hashes are compared at once. */
const playersPerStep = 500;
/** Differences kept with the rebuild; all are counted. */
const maxStoredDifferences = 10_000;

export type RebuildScope =
  | { of: 'everything' }
  | { of: 'brand'; brand_id: number }
  | { of: 'player'; brand_id: number; user_id: string };

export interface RebuildOptions {
  pool: Pool;
  ledger: Ledger;
  brands: { byId(brandId: number): Brand | undefined };
  clock: Clock;
  scope: RebuildScope;
  /** Put rebuilt rows in the place of live ones that differ. */
  swap?: boolean;
  onProgress?: (progress: RebuildProgress) => void;
  signal?: AbortSignal;
}

export interface RebuildProgress {
  phase: 'recomputing' | 'comparing';
  /** Applied to the shadow so far. */
  events: number;
  buckets: { done: number; of: number };
  players: number;
  differences: number;
}

export interface RebuildResult {
  rebuild_id: number;
  events: number;
  players: number;
  differences: Difference[];
  difference_count: number;
  swapped: number;
  /** The longest time that an exchange held batches off, in milliseconds. */
  longest_pause_ms: number;
  /** Players whose events could not be applied to the shadow, by reason. */
  failures: { user_id: string; reason: string }[];
}

/** @throws {RebuildRunning} while another one runs; the signal's reason when it is cancelled. */
export async function rebuild(options: RebuildOptions): Promise<RebuildResult> {
  const { pool, clock, scope, swap = false } = options;
  const player_id = await playerOf(pool, scope);
  const brand_id = scope.of === 'everything' ? null : scope.brand_id;
  const rebuildId = await store.insertRebuild(pool, { brand_id, player_id, swap, started_at: clock() });
  const run = new Run(options, rebuildId, player_id);
  let outcome = 'done';
  try {
    return await run.run();
  } catch (error) {
    outcome = options.signal?.aborted ? 'cancelled' : String(error).slice(0, 500);
    throw error;
  } finally {
    await store.updateRebuild(pool, rebuildId, run.counts(), { at: clock(), outcome });
  }
}

/** @throws {RangeError} when the scope names a player that does not exist. */
async function playerOf(pool: Pool, scope: RebuildScope): Promise<number | null> {
  if (scope.of !== 'player') return null;
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 and user_id = $2',
    [scope.brand_id, scope.user_id],
  );
  if (rows[0] === undefined) throw new RangeError(`there is no player ${scope.user_id}`);
  return rows[0].player_id;
}

class Run {
  readonly #options: RebuildOptions;
  readonly #buckets: readonly Bucket[];
  readonly #playerId: number | null;
  readonly #result: RebuildResult;
  readonly #parked = new Map<string, LedgerEvent>();
  #done = 0;

  constructor(options: RebuildOptions, rebuildId: number, playerId: number | null) {
    const { scope } = options;
    this.#options = options;
    this.#playerId = playerId;
    this.#buckets =
      scope.of === 'player'
        ? [bucketOf(playerHash(scope.brand_id, scope.user_id))]
        : Array.from({ length: bucketCount }, (_, bucket) => bucket);
    this.#result = {
      ...{ rebuild_id: rebuildId, events: 0, players: 0, differences: [], difference_count: 0 },
      ...{ swapped: 0, longest_pause_ms: 0, failures: [] },
    };
  }

  counts(): { events: number; players: number; differences: number } {
    const { events, players, difference_count } = this.#result;
    return { events, players, differences: difference_count };
  }

  async run(): Promise<RebuildResult> {
    const { pool, ledger } = this.#options;
    const shadow = await Shadow.open(pool, this.#result.rebuild_id);
    try {
      const parked = await store.parkedPositionsOf(pool, this.#buckets);
      const stored = await storedCursors(pool, ledger.beginning);
      const reached = new Map(this.#buckets.map((bucket) => [bucket, stored.get(bucket) ?? ledger.beginning]));
      const from = new Map(this.#buckets.map((bucket) => [bucket, ledger.beginning]));
      await this.#applyUpTo(shadow, from, reached, new Set(parked.map(positionName)));
      for (const bucket of this.#buckets) {
        await this.#compareBucket(shadow, bucket, reached.get(bucket) ?? ledger.beginning);
        this.#done += 1;
        this.#progress('comparing');
        await store.updateRebuild(pool, this.#result.rebuild_id, this.counts());
      }
      return this.#result;
    } finally {
      await shadow.close();
    }
  }

  /**
   * Applies to the shadow what lies between two cursors of each bucket. A read may go past the later one: what that does
   * not cover is left out. Events that are parked are set aside.
   */
  async #applyUpTo(
    shadow: Shadow,
    from: ReadonlyMap<Bucket, Cursor>,
    upTo: ReadonlyMap<Bucket, Cursor>,
    parked: ReadonlySet<string>,
  ): Promise<void> {
    const { ledger, signal } = this.#options;
    const cursors = new Map([...upTo.keys()].map((bucket) => [bucket, from.get(bucket) ?? ledger.beginning]));
    const hasArrived = ([bucket, cursor]: [Bucket, Cursor]) => ledger.reaches(cursor, upTo.get(bucket) ?? cursor);
    while (![...cursors].every(hasArrived)) {
      signal?.throwIfAborted();
      const reads = await ledger.read(cursors, eventsPerStep);
      if (reads.length === 0) return;
      const events: LedgerEvent[] = [];
      for (const read of reads) {
        cursors.set(read.bucket, read.cursor);
        const bound = upTo.get(read.bucket);
        for (const event of read.events) {
          if (bound === undefined || !this.#isInScope(event) || !ledger.covers(bound, event.position)) continue;
          if (parked.has(positionName(event.position))) this.#parked.set(positionName(event.position), event);
          else events.push(event);
        }
      }
      await this.#apply(shadow, events);
      this.#progress('recomputing');
    }
  }

  async #apply(shadow: Shadow, events: readonly LedgerEvent[]): Promise<void> {
    const { brands, clock } = this.#options;
    const readable = events.flatMap((event): ReadableEvent[] => {
      const reading = readLedgerEvent(event, brands.byId(event.brand_id));
      return reading.ok && this.#isOfPlayer(reading.readable) ? [reading.readable] : [];
    });
    for (const { events: failed, reason } of await shadow.apply(readable, clock())) {
      this.#result.failures.push({ user_id: failed[0]?.event.user_id ?? '', reason });
    }
    this.#result.events += readable.length;
  }

  #isInScope({ brand_id, player_hash }: LedgerEvent): boolean {
    const { scope } = this.#options;
    if (scope.of === 'everything') return true;
    if (brand_id !== scope.brand_id) return false;
    return scope.of === 'brand' || player_hash === playerHash(scope.brand_id, scope.user_id);
  }

  #isOfPlayer({ event }: ReadableEvent): boolean {
    const { scope } = this.#options;
    return scope.of !== 'player' || event.user_id === scope.user_id;
  }

  async #compareBucket(shadow: Shadow, bucket: Bucket, reached: Cursor): Promise<void> {
    const { pool, clock, swap } = this.#options;
    const now = clock();
    const compared = await transaction(pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read read only; set local statement_timeout = 0');
      const cursor = await this.#catchUp(tx, shadow, bucket, reached);
      return { cursor, differences: await this.#compare(tx, shadow, bucket, now) };
    });
    const { cursor, differences } = compared;
    if (differences.length === 0) return;
    const room = maxStoredDifferences - this.#result.differences.length;
    this.#result.difference_count += differences.length;
    this.#result.differences.push(...differences.slice(0, room));
    await store.saveDifferences(pool, this.#result.rebuild_id, differences.slice(0, room), false);
    if (swap) await this.#swapBucket(shadow, bucket, cursor, differences);
  }

  /** Brings the shadow to where the live state stands in the snapshot of `tx`, and returns that cursor. */
  async #catchUp(tx: PoolClient, shadow: Shadow, bucket: Bucket, reached: Cursor): Promise<Cursor> {
    const cursor = (await storedCursors(tx, this.#options.ledger.beginning)).get(bucket) ?? reached;
    const parked = new Set((await store.parkedPositionsOf(tx, [bucket])).map(positionName));
    await this.#applyUpTo(shadow, new Map([[bucket, reached]]), new Map([[bucket, cursor]]), parked);
    const released = [...this.#parked].filter(([name, event]) => event.bucket === bucket && !parked.has(name));
    for (const [name] of released) this.#parked.delete(name);
    await this.#apply(
      shadow,
      released.map(([, event]) => event),
    );
    return cursor;
  }

  async #compare(tx: PoolClient, shadow: Shadow, bucket: Bucket, now: Micros): Promise<Difference[]> {
    const { scope, pool } = this.#options;
    const of = { bucket, brand_id: scope.of === 'everything' ? null : scope.brand_id, player_id: this.#playerId };
    const differences: Difference[] = [];
    for (let after = 0; ; ) {
      this.#options.signal?.throwIfAborted();
      const ids = await store.playersOf(tx, of, after, playersPerStep);
      const last = ids.at(-1);
      if (last === undefined) return differences;
      after = last;
      const live = await stateHashes(tx, ids, now);
      differences.push(...differencesOf(ids, live, await stateHashes(pool, ids, now, shadow.schema)));
      this.#result.players += ids.length;
    }
  }

  async #swapBucket(shadow: Shadow, bucket: Bucket, reached: Cursor, found: readonly Difference[]): Promise<void> {
    const { pool, clock } = this.#options;
    let since = performance.now();
    const swapped = await transaction(pool, async (tx) => {
      await enterLiveAlone(tx);
      since = performance.now();
      await this.#catchUp(tx, shadow, bucket, reached);
      const ids = found.map((difference) => difference.player_id);
      const now = clock();
      const rebuilt = await stateHashes(pool, ids, now, shadow.schema);
      const still = differencesOf(ids, await stateHashes(tx, ids, now), rebuilt);
      await store.exchange(
        tx,
        shadow.schema,
        still.map((difference) => difference.player_id),
      );
      await store.saveDifferences(tx, this.#result.rebuild_id, still, true);
      return still.length;
    });
    this.#result.swapped += swapped;
    this.#result.longest_pause_ms = Math.max(this.#result.longest_pause_ms, performance.now() - since);
  }

  #progress(phase: RebuildProgress['phase']): void {
    const { events, players, difference_count: differences } = this.#result;
    const buckets = { done: this.#done, of: this.#buckets.length };
    this.#options.onProgress?.({ phase, events, buckets, players, differences });
  }
}
