import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../../brands/index.ts';
import { type ClockGuard, Rounds } from '../../../chores/index.ts';
import type { Clock } from '../../../clock.ts';
import {
  isAbortedForAnother,
  isDatabaseAway,
  isStatementTimeout,
  planForMany,
  timestamptzText,
  transaction,
} from '../../../database/index.ts';
import type { Service } from '../../../service.ts';
import { needsOf } from '../active/active-version.ts';
import { lockVersion, readPhase } from '../active/store.ts';
import { type DueRow, listDue } from '../live/store.ts';
import { insertNews, isNewsWaiting, type PlayerNews } from '../news/store.ts';
import type { RuleReading } from '../rule-reading.ts';
import { failVersion, readActiveDependents, readVersionById } from '../versions/store.ts';
import { settle } from './settle.ts';

/** The number of players swept by one statement, which occupies one connection for a few hundred milliseconds. */
const portionPlayers = 5_000;
const pollMs = 5_000;
/** If fewer players than this are due, the lane evaluates them one by one. */
const fewPlayers = 200;
/**
 * The pause between two portions of a version. The lane skips the version while it is swept, so the pause lasts until the
 * lane has evaluated what it skipped, at most 400 ms. With a fixed pause of 100 ms, the lane missed several pauses in a row. The
 * p99 from a deposit to its membership was then 1.4 s while 300,000 players left at midnight.
 */
const rest = { shortestMs: 50, longestMs: 400, pollMs: 25 };

export interface SweeperOptions {
  pool: Pool;
  brands: BrandRegistry;
  rules: RuleReading;
  clock: Clock;
  log: Logger;
  guard?: ClockGuard;
  /** Default 5,000. */
  portionPlayers?: number;
  /** The longest pause between two portions. Default 400 ms. */
  longestRestMs?: number;
}

/**
 * Updates memberships at moments when time changes the answer for many players at once, such as midnight. On a separate connection, it runs
 * one statement for thousands of players instead of evaluating each player. Their transitions have the cause `time`, like those of single
 * players.
 *
 * Each portion is a transaction: a kill loses only the current portion, whose players are still due.
 */
export class DueSweeper implements Service {
  readonly #options: SweeperOptions;
  readonly #rounds: Rounds;
  readonly #wanted = new Set<number>();
  #stopping = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      name: 'sweeps of segments',
      guard: options.guard,
      runOnce: () => this.runOnce({ throttled: true }),
      pollMs,
      log: options.log,
      words: {
        away: 'sweeps of segments are paused: the database is unavailable',
        again: 'segment sweeps continue',
        failed: 'a segment sweep failed; will retry in the next round',
      },
    });
  }

  start(): Promise<void> {
    this.#stopping = false;
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    this.#stopping = true;
    return this.#rounds.stop();
  }

  /** Requests sweeps of versions. So many of their players are due that evaluating them one by one would take too long. */
  readonly want = (versions: readonly number[]): void => {
    for (const version of versions) this.#wanted.add(version);
    this.#rounds.wake();
  };

  async runOnce({ throttled = false } = {}): Promise<{ swept: number }> {
    let swept = 0;
    for (const version of [...this.#wanted]) {
      for (let more = true; more && !this.#stopping; ) {
        const players = await this.#sweepOrFail(version);
        swept += players;
        more = players >= fewPlayers;
        if (more && throttled) await this.#rest(version);
      }
      this.#wanted.delete(version);
    }
    return { swept };
  }

  async #rest(version: number): Promise<void> {
    const { pool, longestRestMs = rest.longestMs } = this.#options;
    const end = performance.now() + longestRestMs;
    await delay(rest.shortestMs);
    while (!this.#stopping && performance.now() < end && (await isNewsWaiting(pool, version))) await delay(rest.pollMs);
  }

  async #sweepOrFail(versionId: number): Promise<number> {
    const { pool, log } = this.#options;
    try {
      return await this.#sweep(versionId);
    } catch (error) {
      if (isAbortedForAnother(error) || (isDatabaseAway(error) && !isStatementTimeout(error))) throw error;
      log.error({ err: error, version_id: versionId }, 'a segment failed because it cannot be swept');
      await failVersion(pool, versionId, error instanceof Error ? error.message : String(error));
      return 0;
    }
  }

  #sweep(versionId: number): Promise<number> {
    const { pool, brands, rules, clock, log, portionPlayers: size = portionPlayers } = this.#options;
    return transaction(pool, async (tx) => {
      await planForMany(tx);
      await lockVersion(tx, versionId);
      const phase = await readPhase(tx, versionId);
      if (phase === undefined) return 0;
      const { version, segment } = await readVersionById(tx, versionId);
      const brand = brands.byId(segment.brand_id);
      if (brand === undefined) return 0;
      const at = clock();
      const due = await withoutWaiting(tx, await listDue(tx, [versionId], at, size));
      if (due.length === 0) return 0;
      const ids = due.map(({ player_id }) => player_id);
      const { entered, left } = await settle(tx, version, {
        brand,
        rules: await rules.of(brand, needsOf(version.rule).fields),
        at,
        players: { ids },
        settledOnly: false,
        keepsDue: false,
        ...(phase === 'in_force' && { cause: { cause: 'due', silent: false } }),
      });
      // An erased player has no due rows.
      await tx.query(
        'delete from segment_due where version_id = $1 and player_id = any($2::bigint[]) and due_at <= $3',
        [versionId, ids, timestamptzText(at)],
      );
      if (phase === 'in_force' && (await readActiveDependents(tx, segment)).length > 0) {
        const dueAt = new Map(due.map(({ player_id, due_at }) => [player_id, due_at]));
        const newsOf = (player_id: number): PlayerNews => {
          const cause = { type: 'segment', code: segment.code, at: dueAt.get(player_id) ?? at } as const;
          return { player_id, brand_id: segment.brand_id, causes: [{ cause, silent: false }], version_id: null };
        };
        await insertNews(tx, [...entered, ...left].map(newsOf));
      }
      log.debug(
        { segment: segment.code, players: due.length, entered: entered.length, left: left.length },
        'a segment was swept',
      );
      return due.length;
    });
  }
}

/** Leaves out players with news: the lane evaluates them, with the news as the cause instead of the clock. */
async function withoutWaiting(tx: ClientBase, due: readonly DueRow[]): Promise<DueRow[]> {
  const { rows } = await tx.query<{ player_id: number }>(
    `select player_id from segment_news where player_id = any($1::bigint[])
     union select player_id from record_change where player_id = any($1::bigint[])`,
    [due.map(({ player_id }) => player_id)],
  );
  const waiting = new Set(rows.map(({ player_id }) => player_id));
  return due.filter(({ player_id }) => !waiting.has(player_id));
}
