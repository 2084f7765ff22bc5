import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { timestamptzText } from '../database/index.ts';
import type { Service } from '../service.ts';
import { derivedTables } from './families/index.ts';
import { pruneMinutes } from './feed/index.ts';
import { JournalPartitions } from './journal/index.ts';
import { hoursKept } from './totals/index.ts';

const roundMs = 60_000;
/** Rows deleted in one statement, so that no lock lasts long. */
const maxRowsPerDelete = 10_000;
/** Statements in one round; the rest waits a minute. */
const maxDeletesPerRound = 50;
const hour = 3_600_000_000;
/** The console's charts and the go-live steps look back a day; a month leaves room for questions. */
const feedMinutesKept = 35 * 24 * 60;

/** Keeps derive's tables in shape: partitions ahead of time, old ones, hours and minutes out. Harmless in several workers at once. */
export class DeriveUpkeep implements Service {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #partitions: JournalPartitions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(options: { pool: Pool; clock: Clock; log: Logger }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#partitions = new JournalPartitions(options.pool);
  }

  async start(): Promise<void> {
    await this.#guardedRound();
    this.#timer = setInterval(() => void this.#guardedRound(), roundMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
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
      for (const table of await this.#standing([`live.${name}`, `baseline.${name}`])) {
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

  /** Those of the tables that are there: the baseline has none before the first day is sealed. */
  async #standing(tables: readonly string[]): Promise<string[]> {
    const { rows } = await this.#pool.query<{ name: string }>(
      'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
      [tables],
    );
    return rows.map((row) => row.name);
  }

  #guardedRound(): Promise<void> {
    this.#round ??= this.runOnce()
      .then((counts) => this.#log.debug(counts, 'upkeep of derive'))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'the upkeep of derive failed; it is tried again'))
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
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
