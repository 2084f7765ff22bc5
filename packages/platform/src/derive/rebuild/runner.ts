import type { Pool } from 'pg';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Service } from '../../service.ts';
import { RebuildLock, RebuildRunning } from './lock.ts';
import { type RebuildDeps, type RebuildResult, rebuildBehind } from './rebuild.ts';
import type { RebuildScope } from './replay.ts';
import { claimRebuild, isAnyWaiting } from './requests.ts';
import type { RebuildRow } from './store.ts';
import { userIdOf } from './store.ts';
import { ProcessStops, RebuildCancelled } from './watch.ts';

const pollMs = 2_000;

/**
 * Runs the rebuilds that people request through the API, one at a time in the whole installation. It runs in a worker
 * process, because a rebuild computes for hours and would block the api's event loop.
 */
export class RebuildRunner implements Service {
  readonly #deps: RebuildDeps;
  readonly #rounds: Rounds;
  #stop = new AbortController();

  constructor({ guard, ...deps }: RebuildDeps & { guard?: ClockGuard }) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      name: 'rebuilds',
      guard,
      runOnce: () => this.#untilStopped(),
      pollMs,
      log: deps.log,
      words: {
        away: 'rebuilds are paused: the database is unavailable',
        again: 'rebuilds continue',
        failed: 'a rebuild failed before it was complete',
      },
    });
  }

  start(): Promise<void> {
    this.#stop = new AbortController();
    return this.#rounds.start();
  }

  /** A running rebuild is marked as interrupted. Request it again if you need it. */
  stop(): Promise<void> {
    this.#stop.abort(new ProcessStops());
    return this.#rounds.stop();
  }

  /** Runs the rebuild that has waited longest, if there is one and none is running. */
  async runOnce(): Promise<RebuildResult | undefined> {
    const { pool, clock } = this.#deps;
    if (!(await isAnyWaiting(pool))) return undefined;
    const lock = await RebuildLock.take(pool).catch(noLock);
    if (lock === undefined) return undefined;
    const row = await claimRebuild(pool, clock()).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
    if (row === undefined) {
      await lock.release();
      return undefined;
    }
    const scope = await scopeOf(pool, row);
    return rebuildBehind(lock, { ...this.#deps, scope, swap: row.swap, signal: this.#stop.signal }, row);
  }

  async #untilStopped(): Promise<void> {
    const { log } = this.#deps;
    try {
      const result = await this.runOnce();
      if (result === undefined) return;
      const { rebuild_id, events, players, difference_count, swapped } = result;
      log.info({ rebuild_id, events, players, difference_count, swapped }, 'a rebuild has finished');
    } catch (error) {
      if (!(error instanceof RebuildCancelled || this.#stop.signal.aborted)) throw error;
      log.warn({ err: error }, 'a rebuild ended before it was complete');
    }
  }
}

function noLock(error: unknown): undefined {
  if (error instanceof RebuildRunning) return undefined;
  throw error;
}

async function scopeOf(pool: Pool, { brand_id, player_id }: RebuildRow): Promise<RebuildScope> {
  if (brand_id === null) return { of: 'everything' };
  if (player_id === null) return { of: 'brand', brand_id };
  return { of: 'player', brand_id, user_id: (await userIdOf(pool, player_id)) ?? '' };
}
