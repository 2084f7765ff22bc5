import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import { applyState } from '../apply/apply.ts';
import { applyNarrowly, type Failed } from '../apply/narrow.ts';
import { derivedTables, rollupTables } from '../families.ts';
import { PlayerIds } from '../players/index.ts';
import type { ReadableEvent } from '../read.ts';

/** Held by the connection of a running rebuild: one at a time, and a dead one's schema is known to be left over. */
const rebuildLock = 0x72_65_62;

export class RebuildRunning extends Error {
  override name = 'RebuildRunning';
  constructor() {
    super('another rebuild is running; wait for it or cancel it');
  }
}

/**
 * A second set of the derived tables, empty at first, in a schema of its own. Events are applied to it by the same code
 * as to the live ones: the search_path of its one connection is all the difference.
 *
 * The tables are unlogged: a rebuild that is interrupted starts again, and writing them costs half.
 */
export class Shadow {
  readonly schema: string;
  readonly #client: PoolClient;
  readonly #ids = new PlayerIds();

  private constructor(client: PoolClient, schema: string) {
    this.#client = client;
    this.schema = schema;
  }

  /** @throws {RebuildRunning} */
  static async open(pool: Pool, rebuildId: number): Promise<Shadow> {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
        rebuildLock,
      ]);
      if (!rows[0]?.locked) throw new RebuildRunning();
      await dropLeftovers(client);
      const schema = `rebuild_${rebuildId}`;
      await client.query(`create schema ${schema}`);
      for (const name of [...derivedTables.map((table) => table.name), ...rollupTables]) {
        await client.query(`create unlogged table ${schema}.${name} (like live.${name} including all)`);
      }
      await client.query(
        `set search_path = ${schema}, public; set synchronous_commit = off; set statement_timeout = 0`,
      );
      return new Shadow(client, schema);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Applies events; those that fail are returned instead of applied. */
  apply(events: readonly ReadableEvent[], now: Micros): Promise<Failed[]> {
    return this.#inTransaction(() =>
      applyNarrowly(this.#client, events, async (part) => {
        await applyState(this.#client, this.#ids, part, { now, source: 0 });
      }),
    );
  }

  async #inTransaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#client.query('begin');
    try {
      const result = await work();
      await this.#client.query('commit');
      return result;
    } catch (error) {
      await this.#client.query('rollback');
      throw error;
    }
  }

  /** Drops the schema and gives back the lock, so that the next rebuild need not wait until the connection is gone. */
  async close(): Promise<void> {
    try {
      await this.#client.query(`drop schema ${this.schema} cascade`);
      await this.#client.query('select pg_advisory_unlock($1)', [rebuildLock]);
    } finally {
      this.#client.release(true);
    }
  }
}

async function dropLeftovers(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname ~ '^rebuild_[0-9]+$'`,
  );
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`);
}
