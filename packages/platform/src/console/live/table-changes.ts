import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Rounds } from '../../chores/index.ts';
import { changedTopics, type Topic, topicTables } from './topics.ts';

/**
 * How often the counters are read while at most ten consoles are open. A console is notified at most this long after PostgreSQL counts
 * the change: immediately if a person made it (`insertAudit`), within a second on a busy connection, and within 10 s on an idle one.
 */
const everyMs = 1_000;
/**
 * After a report, each open console reads its page again. A page costs up to 2 ms of the api process. So each console adds 100 ms between
 * two reports, and all open consoles together take at most 2% of a processor, until there are more than 50.
 */
const perConsoleMs = 100;
const longestMs = 5_000;

const tables = [...new Set<string>(Object.values(topicTables).flat())];

/** Milliseconds between two reports to this number of open consoles. Pure. */
export function msBetweenReports(consoles: number): number {
  return Math.min(Math.max(everyMs, consoles * perConsoleMs), longestMs);
}

/**
 * Notifies the open consoles of this process of changed topics.
 *
 * PostgreSQL always counts the rows written in each table. At most one statement a second reads these counters, regardless of
 * how many consoles are open. While no console is open, nothing is read. So no stage has to know about the console. As a
 * disadvantage, a console is also notified of changes in other brands.
 */
export class TableChanges {
  readonly #pool: Pool;
  readonly #rounds: Rounds;
  readonly #listeners = new Set<(changed: readonly Topic[]) => void>();
  #isOver = false;
  #before: ReadonlyMap<string, number> = new Map();
  readonly #firstReading = Promise.withResolvers<void>();
  /** Ensures that starts and stops run one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor({ pool, log }: { pool: Pool; log: Logger }) {
    this.#pool = pool;
    this.#rounds = new Rounds({
      runOnce: () => this.runOnce(),
      pollMs: everyMs,
      restMs: () => msBetweenReports(this.#listeners.size),
      log,
      words: {
        away: 'the database is unavailable: open consoles get no changes',
        again: 'the database is available again: open consoles get changes',
        failed: 'the change counters could not be read',
      },
    });
  }

  get listening(): number {
    return this.#listeners.size;
  }

  /** True once the process is ending and sends no more notifications. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Wakes every listener, so that its stream ends. */
  end(): void {
    this.#isOver = true;
    this.#firstReading.resolve();
    for (const listener of this.#listeners) listener([]);
  }

  /**
   * @returns a function that stops listening. The first listener starts the reading, and the reading ends when the last
   * listener leaves.
   */
  listen(listener: (changed: readonly Topic[]) => void): () => void {
    this.#listeners.add(listener);
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      this.#follow();
    };
  }

  /**
   * Resolves when there is a reading to compare later ones with, or when the process ends. An earlier change may never be
   * reported, so a console reads its page again only after this.
   */
  get whenCompared(): Promise<void> {
    return this.#firstReading.promise;
  }

  /** Reads the counters once, and notifies consoles of differences from the previous reading. */
  async runOnce(): Promise<void> {
    const { rows } = await this.#pool.query<{ name: string; written: number }>({
      name: 'written_rows',
      text: `select relname as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as written
               from pg_stat_user_tables where relname = any ($1) group by relname`,
      values: [tables],
    });
    const now = new Map(rows.map(({ name, written }) => [name, written]));
    const changed = changedTopics(this.#before, now);
    this.#before = now;
    this.#firstReading.resolve();
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
  }

  #follow(): void {
    this.#turn = this.#turn.then(() => (this.#listeners.size > 0 ? this.#rounds.start() : this.#rounds.stop()));
  }
}
