import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type ClockGuard, Rounds } from '../chores/index.ts';
import type { Clock } from '../clock.ts';
import { timestamptzText } from '../database/index.ts';
import type { Service } from '../service.ts';
import { derivedTables } from './families/index.ts';
import { pruneMinutes } from './feed/index.ts';
import { JournalPartitions } from './journal/index.ts';
import { hoursKept } from './totals/index.ts';

const pollMs = 60_000;
/** Maximum number of rows deleted in one statement, so that no lock lasts long. */
const maxRowsPerDelete = 10_000;
/** Maximum number of statements per round. The rest is deleted a minute later. */
const maxDeletesPerRound = 50;
const hour = 3_600_000_000;
/** The console's charts and the go-live checks read one day. The rest of the month is for investigations. */
const feedMinutesKept = 35 * 24 * 60;

/**
 * Maintains derive's tables: creates partitions in advance, and deletes old partitions, hours and minutes. It may run
 * in several workers at once.
 */
export class DeriveUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #partitions: JournalPartitions;
  readonly #rounds: Rounds;

  constructor(options: { pool: Pool; clock: Clock; log: Logger; guard?: ClockGuard }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#partitions = new JournalPartitions(options.pool);
    this.#rounds = new Rounds({
      name: 'derive upkeep',
      guard: options.guard,
      runOnce: () => this.runOnce(),
      isFirstAwaited: true,
      pollMs,
      log: options.log,
      words: {
        away: 'derive upkeep is paused: the database is unavailable',
        again: 'derive upkeep continues',
        failed: 'derive upkeep failed; will retry in 1 min',
      },
    });
  }

  /** Resolves after the first round, so that derive finds its partitions. */
  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runOnce(): Promise<{ days: number; dropped: number; hours: number; minutes: number }> {
    const now = this.#clock();
    const { days } = await this.#partitions.runOnce(now);
    const { dropped } = await this.#partitions.dropOld(now);
    const minutes = await repeatedly(() =>
      pruneMinutes(this.#pool, now - feedMinutesKept * 60_000_000, maxRowsPerDelete),
    );
    return { days, dropped, hours: await this.#pruneHours(now - hoursKept * hour), minutes };
  }

  async #pruneHours(before: number): Promise<number> {
    let pruned = 0;
    for (const { name, ages_by, kept_for = 'hours' } of derivedTables) {
      if (ages_by === undefined || kept_for !== 'hours') continue;
      for (const table of await this.#existing([`live.${name}`, `baseline.${name}`])) {
        pruned += await repeatedly(async () => {
          const { rowCount } = await this.#pool.query(
            `delete from ${table} where ctid = any (array(
               select ctid from ${table} where ${ages_by} < $1 order by ${ages_by} limit $2))`,
            [timestamptzText(before), maxRowsPerDelete],
          );
          return rowCount ?? 0;
        });
      }
    }
    return pruned;
  }

  /** Returns the tables that exist. The baseline has none before the first day is sealed. */
  async #existing(tables: readonly string[]): Promise<string[]> {
    const { rows } = await this.#pool.query<{ name: string }>(
      'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
      [tables],
    );
    return rows.map((row) => row.name);
  }
}

async function repeatedly(deleteSome: () => Promise<number>): Promise<number> {
  let all = 0;
  for (let round = 0; round < maxDeletesPerRound; round++) {
    const some = await deleteSome();
    all += some;
    if (some < maxRowsPerDelete) break;
  }
  return all;
}
