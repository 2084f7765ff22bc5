import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../brands/index.ts';
import { type ClockGuard, Rounds } from '../../chores/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway, transaction } from '../../database/index.ts';
import { bucketCount, type Ledger } from '../../ledger/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';
import type { Service } from '../../service.ts';
import { type BrandSetup, brandSetup } from '../brand-setup.ts';
import { copyPlayer } from '../copied-player.ts';
import { ScenarioError } from '../scenario-error.ts';
import type { ScenarioRunner } from '../scratch-database.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import * as store from './store.ts';

const pollMs = 1_000;
/** Namespace of the advisory lock of the process that works on a backtest. */
const lockSpace = 0x62_74_73;

export interface BacktestRunnerOptions {
  pool: Pool;
  ledger: Pick<Ledger, 'history'>;
  brands: BrandRegistry;
  rules: RuleReading;
  scenarios: Pick<ScenarioRunner, 'replay'>;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
}

export interface BacktestRound {
  tried: number;
  finished: number;
}

/**
 * Carries out backtests, player by player, bucket by bucket:
 *
 *   queued --> candidates of a bucket --> replay of one of them --> ... --> next bucket --> ... --> done
 *                                         '-- its entries and the place, in one transaction
 *
 * Replays run in a separate database on the platform's server. After each page of events and after each player, the runner
 * pauses for as long as that work took, so it uses its connection at most half of the time. A crash or a stop loses only the
 * work on the current player, which is repeated. A cancelled backtest ends after the current player.
 */
export class BacktestRunner implements Service {
  readonly #options: BacktestRunnerOptions;
  readonly #rounds: Rounds<BacktestRound>;
  #ending = new AbortController();

  constructor(options: BacktestRunnerOptions) {
    this.#options = options;
    this.#rounds = new Rounds<BacktestRound>({
      name: 'backtests of campaigns',
      guard: options.guard,
      runOnce: () => this.runOnce({ throttled: true }),
      pollMs,
      log: options.log,
      words: {
        away: 'backtests of campaigns are paused: the database is unavailable',
        again: 'backtests of campaigns continue',
        failed: 'running backtests of campaigns failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    this.#ending = new AbortController();
    return this.#rounds.start();
  }

  /** Abandons the current player, who may have thousands of events. */
  stop(): Promise<void> {
    this.#ending.abort();
    return this.#rounds.stop();
  }

  /** Processes all open backtests, oldest first. @param most maximum number of players in this round */
  async runOnce({ throttled = false, most = Number.POSITIVE_INFINITY } = {}): Promise<BacktestRound> {
    const counts = { tried: 0, finished: 0 };
    for (const { backtest_id } of await store.listOpen(this.#options.pool)) {
      if (this.#ending.signal.aborted) break;
      await this.#alone(backtest_id, async () => {
        const backtest = await store.readOpen(this.#options.pool, backtest_id);
        if (backtest !== undefined) await this.#work(backtest, { throttled, most, counts });
      });
    }
    return counts;
  }

  /** One process at a time works on a backtest. Its connection holds the lock, so a process that dies releases it. */
  async #alone(backtestId: number, work: () => Promise<void>): Promise<void> {
    const client = await this.#options.pool.connect();
    let broken = true;
    try {
      const key = [lockSpace, backtestId];
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', key);
      if (rows[0]?.taken === true) {
        try {
          await work();
        } finally {
          await client.query('select pg_advisory_unlock($1, $2)', key);
        }
      }
      broken = false;
    } finally {
      client.release(broken);
    }
  }

  async #work(
    backtest: store.Backtest,
    how: { throttled: boolean; most: number; counts: BacktestRound },
  ): Promise<void> {
    const { pool, clock, log } = this.#options;
    const { backtest_id } = backtest;
    try {
      const hasEnded = await this.#tryPlayers(backtest, how);
      if (hasEnded && (await store.endBacktest(pool, backtest_id, 'done', { at: clock() }))) how.counts.finished++;
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      if (isDatabaseAway(error)) throw error;
      log.error({ err: error, backtest_id }, 'a backtest of a campaign failed');
      const reason = error instanceof Error ? error.message : String(error);
      await store.endBacktest(pool, backtest_id, 'failed', { at: clock(), reason });
    }
  }

  /**
   * @returns true if all players were tried, or as many as the backtest allows; false if the backtest was cancelled, this
   * process stops, or the round has tried its maximum number of players
   */
  async #tryPlayers(
    backtest: store.Backtest,
    { throttled, most, counts }: { throttled: boolean; most: number; counts: BacktestRound },
  ): Promise<boolean> {
    const { pool, brands, ledger, rules } = this.#options;
    const { document: campaign, from_at: from, until_at: until, most_players } = backtest;
    const brand = brands.byId(backtest.brand_id);
    if (brand === undefined) throw new Error('the brand is gone');
    const { signal } = this.#ending;
    const setup = await brandSetup(pool, brand, campaign);
    const { catalog } = await rules.of(brand);
    const search = { pool, ledger, brand, campaign, catalog, from, until, throttled, signal };
    let now = backtest;
    const moveOn = async (change: Partial<store.Backtest>, tx: Parameters<typeof store.moveOn>[0] = pool) => {
      const next = { ...now, ...change };
      const isOurs = await store.moveOn(tx, now, next);
      now = next;
      return isOurs;
    };
    while (now.buckets < bucketCount) {
      const candidates = await candidatesOf(search, now.buckets);
      while (now.place < candidates.length) {
        if (signal.aborted || counts.tried >= most) return false;
        const began = performance.now();
        const candidate = candidates[now.place] as Candidate;
        const timeline = await this.#replay(setup, candidate, { brand, from, until, signal });
        const done = {
          of_bucket: candidates.length,
          place: now.place + 1,
          tried: now.tried + (timeline === null ? 0 : 1),
          skipped: now.skipped + (timeline === null ? 1 : 0),
        };
        const isOurs = await transaction(pool, async (tx) => {
          if (!(await moveOn(done, tx))) return false;
          await store.insertEntries(tx, backtest, candidate.player_id, timeline ?? []);
          return true;
        });
        if (!isOurs) return false;
        counts.tried++;
        if (now.tried >= most_players) return true;
        if (throttled) await delay(performance.now() - began, undefined, { signal });
      }
      if (!(await moveOn({ buckets: now.buckets + 1, of_bucket: 0, place: 0 }))) return false;
    }
    return true;
  }

  /** @returns null if this player cannot be tried; others still can */
  async #replay(
    setup: BrandSetup,
    candidate: Candidate,
    {
      brand,
      from,
      until,
      signal,
    }: { brand: Parameters<typeof copyPlayer>[1]; from: number; until: number; signal: AbortSignal },
  ) {
    const { scenarios, log } = this.#options;
    try {
      const player = await copyPlayer(this.#options, brand, candidate, signal);
      return await scenarios.replay({ setup, player, from, until, signal });
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      log.warn(
        { err: error, player_id: candidate.player_id },
        'a player was skipped in a backtest because of an error',
      );
      return null;
    }
  }
}
