import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import type { ErasureKeys, Ledger, LedgerHistory } from '../../ledger/index.ts';
import type { RollupDifference } from '../totals/index.ts';
import type { Difference } from './compare.ts';
import { RebuildLock } from './lock.ts';
import type { RebuildScope } from './replay.ts';
import { Run } from './run.ts';
import { Shadow } from './shadow.ts';
import * as store from './store.ts';
import { Watch } from './watch.ts';

export interface RebuildDeps {
  /** Connections without a statement timeout. */
  pool: Pool;
  ledger: Ledger;
  /** Blocks packing and dropping of days during the rebuild. */
  history: Pick<LedgerHistory, 'hold'>;
  brands: ErasureKeys & { byId(brandId: number): Brand | undefined };
  clock: Clock;
  log: Logger;
  /** Called in the same transaction for players whose rows are replaced, because their facts and totals may have changed. */
  onExchanged?(tx: PoolClient, playerIds: readonly number[], at: Micros): Promise<void>;
}

export interface RebuildOptions extends RebuildDeps {
  scope: RebuildScope;
  /** Replaces live rows that differ with the rebuilt ones. Default: only compare. */
  swap?: boolean;
  onProgress?: (progress: RebuildProgress) => void;
  signal?: AbortSignal;
}

export interface RebuildProgress {
  phase: Exclude<store.RebuildPhase, 'waiting' | 'over'>;
  /** The number of events applied to the shadow so far. */
  events: number;
  buckets: { done: number; of: number };
  players: number;
  differences: number;
}

export interface RebuildResult {
  rebuild_id: number;
  events: number;
  players: number;
  /** The first differences, up to a limit. */
  differences: Difference[];
  difference_count: number;
  swapped: number;
  /** The longest time that a replacement made batches wait, in milliseconds. */
  longest_pause_ms: number;
  /** Events that could not be applied to the shadow, with the player and the reason. */
  failures: { user_id: string; reason: string }[];
  /** Days on which the live roll-up differs from the sum of the players' day rows. Not checked for a single player. */
  rollup_differences: RollupDifference[];
}

/**
 * Runs a rebuild in this process.
 *
 * @throws {RebuildRunning} if another one runs; {RangeError} for an unknown player; the signal's reason if aborted;
 *   {RebuildCancelled} if it was cancelled from elsewhere
 */
export async function rebuild(options: RebuildOptions): Promise<RebuildResult> {
  const { pool, clock, scope, swap = false } = options;
  const player_id = await playerOf(pool, scope);
  const brand_id = scope.of === 'everything' ? null : scope.brand_id;
  const now = clock();
  const lock = await RebuildLock.take(pool);
  const request = { brand_id, player_id, swap, requested_at: now, started_at: now };
  const rebuildId = await store.insertRebuild(pool, request).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  return rebuildBehind(lock, options, { rebuild_id: rebuildId, player_id });
}

async function playerOf(pool: Pool, scope: RebuildScope): Promise<number | null> {
  if (scope.of !== 'player') return null;
  const playerId = await store.playerNumber(pool, scope.brand_id, scope.user_id);
  if (playerId === undefined) throw new RangeError(`the player ${scope.user_id} does not exist`);
  return playerId;
}

/** Runs a rebuild whose row is marked as started, and records its end there. Releases the lock in any case. */
export async function rebuildBehind(
  lock: RebuildLock,
  options: RebuildOptions,
  row: { rebuild_id: number; player_id: number | null },
): Promise<RebuildResult> {
  const { pool, clock, log, history } = options;
  const watch = new Watch(pool, row.rebuild_id, log, options.signal);
  let shadow: Shadow | undefined;
  let run: Run | undefined;
  let outcome = 'done';
  const outcomeOf = (error: unknown) => {
    if (lock.lost.aborted) return 'interrupted';
    return watch.signal.aborted ? watch.outcome() : String(error).slice(0, 500);
  };
  try {
    shadow = await Shadow.behind(lock, row.rebuild_id, options.brands);
    await store.endInterrupted(pool, row.rebuild_id, clock());
    await using _hold = await history.hold();
    run = new Run({ ...options, signal: AbortSignal.any([watch.signal, lock.lost]) }, row, shadow);
    watch.start(() => (run as Run).counts());
    return await run.run();
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    await watch.stop();
    await shadow
      ?.close()
      .catch((err: unknown) =>
        log.warn({ err }, 'the tables of a rebuild could not be dropped; the next rebuild drops them'),
      );
    // The rebuild itself has ended. An error here must not hide its result or the reason of its failure.
    await store
      .endRebuild(pool, row.rebuild_id, run?.counts() ?? nothing, {
        at: clock(),
        outcome,
        ...(run?.findings() ?? noFindings),
      })
      .catch((err: unknown) => {
        log.warn({ err, rebuild_id: row.rebuild_id, outcome }, 'the end of a rebuild could not be stored');
      });
  }
}

const nothing: store.RebuildCounts = {
  phase: 'copying',
  buckets_done: 0,
  buckets_of: 0,
  events: 0,
  players: 0,
  differences: 0,
  swapped: 0,
  longest_pause_ms: 0,
};
const noFindings = { failures: [], rollup_differences: [] };
