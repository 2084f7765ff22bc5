import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import {
  type Bucket,
  bucketCount,
  bucketOf,
  type Cursor,
  type Ledger,
  playerHash,
  storedCursors,
} from '../../ledger/index.ts';
import { enterLiveAlone } from '../apply/batch.ts';
import { positionName } from '../journal/index.ts';
import { stateHashes } from '../state-hash.ts';
import { type Difference, differencesOf } from './compare.ts';
import { type RebuildScope, Replay } from './replay.ts';
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

/** Players whose hashes are compared at once. */
const playersPerStep = 500;
/** Differences kept with the rebuild; all are counted. */
const maxStoredDifferences = 10_000;

export interface RebuildOptions {
  pool: Pool;
  ledger: Ledger;
  brands: { byId(brandId: number): Brand | undefined };
  clock: Clock;
  log: Logger;
  scope: RebuildScope;
  /** Put rebuilt rows in the place of live ones that differ. Default: only compare. */
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
  /** Events that could not be applied to the shadow: whose, and why. */
  failures: { user_id: string; reason: string }[];
}

/** @throws {RebuildRunning} while another one runs; {RangeError} for an unknown player; the signal's reason when cancelled. */
export async function rebuild(options: RebuildOptions): Promise<RebuildResult> {
  const { pool, clock, log, scope, swap = false } = options;
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
    // The rebuild itself is over: neither its result nor the reason of its failure may be lost for this.
    await store.updateRebuild(pool, rebuildId, run.counts(), { at: clock(), outcome }).catch((err: unknown) => {
      log.warn({ err, rebuild_id: rebuildId, outcome }, 'the end of a rebuild was not noted');
    });
  }
}

async function playerOf(pool: Pool, scope: RebuildScope): Promise<number | null> {
  if (scope.of !== 'player') return null;
  const playerId = await store.playerNumber(pool, scope.brand_id, scope.user_id);
  if (playerId === undefined) throw new RangeError(`there is no player ${scope.user_id}`);
  return playerId;
}

class Run {
  readonly #options: RebuildOptions;
  readonly #rebuildId: number;
  readonly #playerId: number | null;
  readonly #buckets: readonly Bucket[];
  readonly #differences: Difference[] = [];
  #replay: Replay | undefined;
  #bucketsDone = 0;
  #players = 0;
  #differenceCount = 0;
  #swapped = 0;
  #longestPauseMs = 0;

  constructor(options: RebuildOptions, rebuildId: number, playerId: number | null) {
    const { scope } = options;
    this.#options = options;
    this.#rebuildId = rebuildId;
    this.#playerId = playerId;
    this.#buckets =
      scope.of === 'player'
        ? [bucketOf(playerHash(scope.brand_id, scope.user_id))]
        : Array.from({ length: bucketCount }, (_, bucket) => bucket);
  }

  counts(): { events: number; players: number; differences: number } {
    return { events: this.#replay?.events ?? 0, players: this.#players, differences: this.#differenceCount };
  }

  async run(): Promise<RebuildResult> {
    const { pool, ledger, brands, clock, scope, signal } = this.#options;
    const shadow = await Shadow.open(pool, this.#rebuildId);
    try {
      await store.endInterrupted(pool, this.#rebuildId, clock());
      const onStep = () => this.#progress('recomputing');
      const replay = new Replay(shadow, { ledger, brands, clock, scope, signal, onStep });
      this.#replay = replay;
      const { reached, parked } = await transaction(pool, (tx) => this.#standing(tx, this.#buckets));
      await replay.applyBetween(new Map(), reached, parked);
      for (const bucket of this.#buckets) {
        await this.#compareBucket(shadow, replay, bucket, reached.get(bucket) ?? ledger.beginning);
        this.#bucketsDone += 1;
        this.#progress('comparing');
        await store.updateRebuild(pool, this.#rebuildId, this.counts());
      }
      return this.#result(replay);
    } finally {
      await shadow.close();
    }
  }

  #result({ events, failures }: Replay): RebuildResult {
    return {
      rebuild_id: this.#rebuildId,
      events,
      players: this.#players,
      differences: this.#differences,
      difference_count: this.#differenceCount,
      swapped: this.#swapped,
      longest_pause_ms: this.#longestPauseMs,
      failures,
    };
  }

  /**
   * What the live state has been given: all up to the cursors but the parked events. The cursors are read first, so that an
   * event parked between the two reads, where `tx` is no snapshot, lies beyond them.
   */
  async #standing(
    tx: PoolClient,
    buckets: readonly Bucket[],
  ): Promise<{ reached: Map<Bucket, Cursor>; parked: Set<string> }> {
    const { beginning } = this.#options.ledger;
    const stored = await storedCursors(tx, beginning);
    const parked = await store.parkedPositionsOf(tx, buckets);
    return {
      reached: new Map(buckets.map((bucket) => [bucket, stored.get(bucket) ?? beginning])),
      parked: new Set(parked.map(positionName)),
    };
  }

  async #compareBucket(shadow: Shadow, replay: Replay, bucket: Bucket, reached: Cursor): Promise<void> {
    const { pool, clock, swap } = this.#options;
    const now = clock();
    const { cursor, differences } = await transaction(pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read read only; set local statement_timeout = 0');
      const cursor = await this.#catchUp(tx, replay, bucket, reached);
      return { cursor, differences: await this.#compare(tx, shadow, bucket, now) };
    });
    if (differences.length === 0) return;
    const stored = differences.slice(0, maxStoredDifferences - this.#differences.length);
    this.#differenceCount += differences.length;
    this.#differences.push(...stored);
    await store.saveDifferences(pool, this.#rebuildId, stored);
    if (swap) await this.#swapBucket(shadow, replay, bucket, cursor, differences);
  }

  /** Brings the shadow to where the live state stands as `tx` sees it, and returns that cursor. */
  async #catchUp(tx: PoolClient, replay: Replay, bucket: Bucket, reached: Cursor): Promise<Cursor> {
    const { reached: upTo, parked } = await this.#standing(tx, [bucket]);
    await replay.applyBetween(new Map([[bucket, reached]]), upTo, parked);
    return upTo.get(bucket) ?? reached;
  }

  async #compare(tx: PoolClient, shadow: Shadow, bucket: Bucket, now: Micros): Promise<Difference[]> {
    const { scope, pool, signal } = this.#options;
    const of = { bucket, brand_id: scope.of === 'everything' ? null : scope.brand_id, player_id: this.#playerId };
    const differences: Difference[] = [];
    for (let after = 0; ; ) {
      signal?.throwIfAborted();
      const ids = await store.playersOf(tx, of, after, playersPerStep);
      const last = ids.at(-1);
      if (last === undefined) return differences;
      after = last;
      const live = await stateHashes(tx, ids, now);
      differences.push(...differencesOf(ids, live, await stateHashes(pool, ids, now, shadow.schema)));
      this.#players += ids.length;
    }
  }

  async #swapBucket(
    shadow: Shadow,
    replay: Replay,
    bucket: Bucket,
    reached: Cursor,
    found: readonly Difference[],
  ): Promise<void> {
    const { pool, clock } = this.#options;
    let since = performance.now();
    this.#swapped += await transaction(pool, async (tx) => {
      await enterLiveAlone(tx);
      since = performance.now();
      await this.#catchUp(tx, replay, bucket, reached);
      const ids = found.map((difference) => difference.player_id);
      const now = clock();
      const rebuilt = await stateHashes(pool, ids, now, shadow.schema);
      const still = differencesOf(ids, await stateHashes(tx, ids, now), rebuilt);
      const players = still.map((difference) => difference.player_id);
      await store.exchange(tx, shadow.schema, bucket, players);
      await store.markSwapped(tx, this.#rebuildId, players);
      return still.length;
    });
    this.#longestPauseMs = Math.max(this.#longestPauseMs, performance.now() - since);
  }

  #progress(phase: RebuildProgress['phase']): void {
    const buckets = { done: this.#bucketsDone, of: this.#buckets.length };
    this.#options.onProgress?.({ phase, buckets, ...this.counts() });
  }
}
