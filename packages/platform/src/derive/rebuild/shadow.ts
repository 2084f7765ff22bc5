import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Bucket, ErasureKeys, LedgerEvent, SoughtPosition } from '../../ledger/index.ts';
import { applyState } from '../apply/apply.ts';
import { applyNarrowly, type Failed } from '../apply/narrow.ts';
import { rollupTables } from '../families/index.ts';
import { stateTables } from '../history/baseline.ts';
import { PlayerIds } from '../players/index.ts';
import type { ReadableEvent } from '../read.ts';
import { RebuildLock } from './lock.ts';

/** The rows of the baseline with which a rebuild starts. */
export type CopyScope = { of: 'everything' } | { of: 'brand'; brand_id: number } | { of: 'player'; player_id: number };

/**
 * A second set of the derived tables, initially empty, in a separate schema. The same code applies events to it and
 * to the live tables: the only difference is the search_path of its one connection.
 *
 * The tables are unlogged, because that halves the cost of writing, and an interrupted rebuild starts again anyway.
 */
export class Shadow {
  readonly schema: string;
  readonly #lock: RebuildLock;
  readonly #client: PoolClient;
  readonly #ids: PlayerIds;

  private constructor(lock: RebuildLock, schema: string, keys: ErasureKeys) {
    this.#ids = new PlayerIds(keys);
    this.#lock = lock;
    this.#client = lock.client;
    this.schema = schema;
  }

  /**
   * For tests of single families without erased players.
   *
   * @throws {RebuildRunning}
   */
  static async open(pool: Pool, rebuildId: number): Promise<Shadow> {
    return Shadow.behind(await RebuildLock.take(pool), rebuildId, { erasureKey: () => '' });
  }

  /** The shadow owns the lock from now on, even if this throws. */
  static async behind(lock: RebuildLock, rebuildId: number, keys: ErasureKeys): Promise<Shadow> {
    const { client } = lock;
    try {
      await dropLeftovers(client);
      const schema = `rebuild_${rebuildId}`;
      await client.query(
        `set search_path = ${schema}, public; set synchronous_commit = off; set statement_timeout = 0`,
      );
      // All statements are in one message, and so in one transaction.
      await client.query(`create schema ${schema};
        ${stateTables.map((name) => `create unlogged table ${schema}.${name} (like live.${name} including all);`).join('\n')}
        create unlogged table ${schema}.left_out (
          bucket smallint, writer_id int, seq bigint, index int, primary key (bucket, writer_id, seq, index))`);
      return new Shadow(lock, schema, keys);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Copies the state of the dropped days of the ledger, all tables as of the same moment. */
  async copyBaseline(scope: CopyScope, signal?: AbortSignal): Promise<void> {
    await this.#inTransaction(async () => {
      await this.#client.query('set transaction isolation level repeatable read');
      for (const name of stateTables) {
        signal?.throwIfAborted();
        const rollup = rollupTables.includes(name);
        if (rollup && scope.of === 'player') continue;
        await this.#client.query(
          `insert into ${this.schema}.${name} select b.* from baseline.${name} b ${within(scope, rollup)}`,
        );
      }
    });
  }

  /** Applies events. Returns those that failed. */
  apply(events: readonly ReadableEvent[], now: Micros): Promise<Failed[]> {
    return this.#inTransaction(async () => {
      const { remaining } = await this.#ids.withoutErased(this.#client, events);
      return applyNarrowly(this.#client, remaining, async (part) => {
        await applyState(this.#client, this.#ids, part, { now, source: 0 });
      });
    });
  }

  /** Stores events that were skipped because they are not part of the live state yet. */
  async leaveOut(events: readonly LedgerEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.#client.query(
      `insert into left_out select * from unnest($1::smallint[], $2::int[], $3::bigint[], $4::int[]) on conflict do nothing`,
      positionColumns(events.map(({ bucket, position }) => ({ ...position, bucket }))),
    );
  }

  /** A page of the skipped events of a bucket, after the given one. */
  async leftOut(bucket: Bucket, after: SoughtPosition | undefined, limit: number): Promise<SoughtPosition[]> {
    const { writer_id = -1, seq = -1, index = -1 } = after ?? {};
    const { rows } = await this.#client.query<SoughtPosition>(
      `select bucket, writer_id, seq, index from left_out
       where bucket = $1 and (writer_id, seq, index) > ($2::int, $3::bigint, $4::int)
       order by writer_id, seq, index limit $5`,
      [bucket, writer_id, seq, index, limit],
    );
    return rows;
  }

  async forget(positions: readonly SoughtPosition[]): Promise<void> {
    await this.#client.query(
      `delete from left_out l using unnest($1::smallint[], $2::int[], $3::bigint[], $4::int[]) as k(bucket, writer_id, seq, index)
       where l.bucket = k.bucket and l.writer_id = k.writer_id and l.seq = k.seq and l.index = k.index`,
      positionColumns(positions),
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

  /** Drops the schema and releases the lock. */
  async close(): Promise<void> {
    try {
      await this.#client.query(`drop schema ${this.schema} cascade`);
    } finally {
      await this.#lock.release();
    }
  }
}

function within(scope: CopyScope, rollup: boolean): string {
  if (scope.of === 'everything') return '';
  if (scope.of === 'player') return `where b.player_id = ${Number(scope.player_id)}`;
  const brand = Number(scope.brand_id);
  return rollup ? `where b.brand_id = ${brand}` : `join player p using (player_id) where p.brand_id = ${brand}`;
}

function positionColumns(positions: readonly SoughtPosition[]): unknown[][] {
  return [
    positions.map((p) => p.bucket),
    positions.map((p) => p.writer_id),
    positions.map((p) => p.seq),
    positions.map((p) => p.index),
  ];
}

/** Drops schemas of rebuilds that were killed. Only the holder of the rebuild lock may call this. */
export async function dropLeftovers(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname ~ '^rebuild_[0-9]+$'`,
  );
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`);
}
