import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { storedCursors } from '../../buckets/index.ts';
import { transaction } from '../../database/index.ts';
import { type Bucket, bucketCount, bucketOf, type Cursor, playerHash } from '../../ledger/index.ts';
import { enterLiveAlone } from '../apply/batch.ts';
import { ensureBaseline, hasBaseline } from '../history/baseline.ts';
import { rollupDifferences } from '../rollups/index.ts';
import { stateHashes } from '../state-hash.ts';
import type { RollupDifference } from '../totals/index.ts';
import { type Difference, differencesOf } from './compare.ts';
import type { RebuildOptions, RebuildProgress, RebuildResult } from './rebuild.ts';
import { Replay } from './replay.ts';
import { differingRows } from './rows.ts';
import type { CopyScope, Shadow } from './shadow.ts';
import * as store from './store.ts';

/*
 * Recomputes derived state from the ledger next to the live state, and compares the two (docs/reference/design.md 2.3):
 *
 *   copying       copies the baseline, which is the state of all dropped ledger days, to a shadow schema
 *   recomputing   applies the kept ledger to it, up to the point that the live state had reached at the start
 *   comparing     bucket by bucket: opens a snapshot of the live state, which contains the bucket's cursor and everything derived
 *                 up to it; applies the events in between to the shadow; compares hashes player by player.
 *                 On request: in a transaction that makes batches wait, catches up again, compares the differing players again,
 *                 and replaces their live rows with the rebuilt ones, in the roll-ups too
 *
 * Comparing blocks nothing, because a snapshot is consistent (docs/decisions/0302). Only the replacement makes batches
 * wait, for as long as it takes to replace the rows of one bucket's differing players.
 *
 * Parked events are not part of the live state, so they are not part of the rebuilt one. Applying events twice to the
 * shadow does no harm: derivations guarantee that.
 */

/** The number of players whose hashes are compared at once. */
const playersPerStep = 500;
/** Maximum number of differences stored with the rebuild. All of them are counted. */
const maxStoredDifferences = 10_000;
/** The maximum number of players whose differing rows are stored. */
const maxRowsOfPlayers = 100;
const maxStoredRollups = 1_000;

export class Run {
  readonly #options: RebuildOptions;
  readonly #rebuildId: number;
  readonly #playerId: number | null;
  readonly #shadow: Shadow;
  readonly #replay: Replay;
  readonly #buckets: readonly Bucket[];
  readonly #differences: Difference[] = [];
  #rollups: RollupDifference[] = [];
  #phase: RebuildProgress['phase'] = 'copying';
  #bucketsDone = 0;
  #players = 0;
  #differenceCount = 0;
  #swapped = 0;
  #longestPauseMs = 0;

  constructor(options: RebuildOptions, row: { rebuild_id: number; player_id: number | null }, shadow: Shadow) {
    const { scope, ledger, brands, clock, signal } = options;
    this.#options = options;
    this.#rebuildId = row.rebuild_id;
    this.#playerId = row.player_id;
    this.#shadow = shadow;
    this.#replay = new Replay(shadow, { ledger, brands, clock, scope, signal, onStep: () => this.#progress() });
    this.#buckets =
      scope.of === 'player'
        ? [bucketOf(playerHash(scope.brand_id, scope.user_id))]
        : Array.from({ length: bucketCount }, (_, bucket) => bucket);
  }

  counts(): store.RebuildCounts {
    return {
      phase: this.#phase,
      buckets_done: this.#bucketsDone,
      buckets_of: this.#buckets.length,
      events: this.#replay.events,
      players: this.#players,
      differences: this.#differenceCount,
      swapped: this.#swapped,
      longest_pause_ms: this.#longestPauseMs,
    };
  }

  findings(): Pick<RebuildResult, 'failures' | 'rollup_differences'> {
    return { failures: this.#replay.failures, rollup_differences: this.#rollups };
  }

  async run(): Promise<RebuildResult> {
    const { pool, ledger, scope, signal } = this.#options;
    this.#progress();
    if (await hasBaseline(pool)) {
      await ensureBaseline(pool);
      await this.#shadow.copyBaseline(this.#copyScope(), signal);
    }
    this.#phase = 'recomputing';
    const stored = await storedCursors(pool, ledger.beginning);
    const reached = new Map(this.#buckets.map((bucket) => [bucket, stored.get(bucket) ?? ledger.beginning]));
    // Parked events are queried after the cursors were read, so an event parked in between is beyond the cursors.
    await this.#replay.applyUpTo(pool, reached);
    this.#phase = 'comparing';
    for (const bucket of this.#buckets) {
      await this.#compareBucket(bucket, reached.get(bucket) ?? ledger.beginning);
      this.#bucketsDone += 1;
      this.#progress();
    }
    if (scope.of !== 'player') {
      const brandId = scope.of === 'brand' ? scope.brand_id : null;
      this.#rollups = (await rollupDifferences(pool, brandId)).slice(0, maxStoredRollups);
    }
    return this.#result();
  }

  #copyScope(): CopyScope {
    const { scope } = this.#options;
    return scope.of === 'player' ? { of: 'player', player_id: this.#playerId ?? 0 } : scope;
  }

  #result(): RebuildResult {
    return {
      rebuild_id: this.#rebuildId,
      events: this.#replay.events,
      players: this.#players,
      differences: this.#differences,
      difference_count: this.#differenceCount,
      swapped: this.#swapped,
      longest_pause_ms: this.#longestPauseMs,
      ...this.findings(),
    };
  }

  async #compareBucket(bucket: Bucket, reached: Cursor): Promise<void> {
    const { pool, clock, swap } = this.#options;
    const now = clock();
    const { cursor, players } = await transaction(pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read read only; set local statement_timeout = 0');
      const cursor = await this.#catchUp(tx, bucket, reached);
      return { cursor, players: await this.#compare(tx, bucket, now) };
    });
    if (swap && players.length > 0) await this.#swapBucket(bucket, cursor, players);
  }

  /** Brings the shadow to the live state that `tx` sees, and returns its cursor. */
  async #catchUp(tx: PoolClient, bucket: Bucket, reached: Cursor): Promise<Cursor> {
    const { ledger } = this.#options;
    const upTo = (await storedCursors(tx, ledger.beginning)).get(bucket) ?? ledger.beginning;
    await this.#replay.applyBetween(tx, new Map([[bucket, reached]]), new Map([[bucket, upTo]]));
    await this.#replay.applyReleased(tx, bucket);
    return upTo;
  }

  /** Returns the players that differ, and stores the first of them with their differences. */
  async #compare(tx: PoolClient, bucket: Bucket, now: Micros): Promise<number[]> {
    const { scope, pool, signal } = this.#options;
    const of = { bucket, brand_id: scope.of === 'everything' ? null : scope.brand_id, player_id: this.#playerId };
    const differing: number[] = [];
    for (let after = 0; ; ) {
      signal?.throwIfAborted();
      const ids = await store.playersOf(tx, of, after, playersPerStep);
      const last = ids.at(-1);
      if (last === undefined) return differing;
      after = last;
      const live = await stateHashes(tx, ids, now);
      const differences = differencesOf(ids, live, await stateHashes(pool, ids, now, this.#shadow.schema));
      differing.push(...differences.map(({ player_id }) => player_id));
      await this.#keep(tx, differences, now);
      this.#players += ids.length;
    }
  }

  async #keep(tx: PoolClient, differences: readonly Difference[], now: Micros): Promise<void> {
    const { pool } = this.#options;
    const retained = differences.slice(0, maxStoredDifferences - this.#differences.length);
    const sides = { live: tx, shadow: pool, schema: this.#shadow.schema };
    const stored = [];
    for (const [i, difference] of retained.entries()) {
      const hasRows = this.#differences.length + i < maxRowsOfPlayers;
      const { player_id, tables } = difference;
      stored.push(hasRows ? { ...difference, rows: await differingRows(sides, player_id, tables, now) } : difference);
    }
    this.#differenceCount += differences.length;
    this.#differences.push(...retained);
    await store.saveDifferences(pool, this.#rebuildId, stored);
  }

  async #swapBucket(bucket: Bucket, reached: Cursor, found: readonly number[]): Promise<void> {
    const { pool, clock, onExchanged } = this.#options;
    let since = performance.now();
    this.#swapped += await transaction(pool, async (tx) => {
      await enterLiveAlone(tx);
      since = performance.now();
      await this.#catchUp(tx, bucket, reached);
      const now = clock();
      const rebuilt = await stateHashes(pool, found, now, this.#shadow.schema);
      const still = differencesOf(found, await stateHashes(tx, found, now), rebuilt);
      const players = still.map((difference) => difference.player_id);
      await store.exchange(tx, this.#shadow.schema, bucket, players);
      await store.markSwapped(tx, this.#rebuildId, players);
      await onExchanged?.(tx, players, now);
      return still.length;
    });
    this.#longestPauseMs = Math.max(this.#longestPauseMs, performance.now() - since);
  }

  #progress(): void {
    const { events, players, differences } = this.counts();
    const buckets = { done: this.#bucketsDone, of: this.#buckets.length };
    this.#options.onProgress?.({ phase: this.#phase, events, buckets, players, differences });
  }
}
