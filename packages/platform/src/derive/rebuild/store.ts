import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { Bucket } from '../../ledger/index.ts';
import { derivedTables } from '../families/index.ts';
import { correctRollups } from '../rollups/index.ts';
import type { RollupDifference } from '../totals/index.ts';
import type { Difference } from './compare.ts';
import type { DifferingRows } from './rows.ts';

export type RebuildPhase = 'waiting' | 'copying' | 'recomputing' | 'comparing' | 'over';

export interface RebuildRow {
  rebuild_id: number;
  /** Null for all brands. */
  brand_id: number | null;
  /** Null for all players. */
  player_id: number | null;
  swap: boolean;
  requested_at: Micros;
  /** Null while it waits for a worker. */
  started_at: Micros | null;
  finished_at: Micros | null;
  /**
   * Null until it ends; then 'done', 'cancelled', 'interrupted' (its process was stopped) or the reason of its failure.
   */
  outcome: string | null;
  phase: RebuildPhase;
  cancel_requested: boolean;
  buckets_done: number;
  buckets_of: number;
  /** The number of events applied from the ledger. */
  events: number;
  /** The number of players compared. */
  players: number;
  /** The number of players that differ. */
  differences: number;
  swapped: number;
  longest_pause_ms: number;
  /** Events that could not be applied again. */
  failures: { user_id: string; reason: string }[];
  rollup_differences: RollupDifference[];
}

/** The progress of a rebuild that is stored while it runs. */
export type RebuildCounts = Pick<
  RebuildRow,
  'phase' | 'buckets_done' | 'buckets_of' | 'events' | 'players' | 'differences' | 'swapped' | 'longest_pause_ms'
>;

export async function insertRebuild(
  db: Pool | ClientBase,
  rebuild: Pick<RebuildRow, 'brand_id' | 'player_id' | 'swap' | 'requested_at' | 'started_at'>,
): Promise<number> {
  const { brand_id, player_id, swap, requested_at, started_at } = rebuild;
  const { rows } = await db.query<{ rebuild_id: number }>(
    `insert into rebuild (brand_id, player_id, swap, requested_at, started_at) values ($1, $2, $3, $4, $5) returning rebuild_id`,
    [
      brand_id,
      player_id,
      swap,
      timestamptzText(requested_at),
      started_at === null ? null : timestamptzText(started_at),
    ],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('the database returned no number for the rebuild');
  return row.rebuild_id;
}

/** Stores the progress of a rebuild. Returns whether it should be cancelled. */
export async function keepCounts(pool: Pool, rebuildId: number, counts: RebuildCounts): Promise<boolean> {
  const { rows } = await pool.query<{ cancel_requested: boolean }>(
    `update rebuild set phase = $2, buckets_done = $3, buckets_of = $4, events = $5, players = $6, differences = $7,
                        swapped = $8, longest_pause_ms = $9
     where rebuild_id = $1 and outcome is null returning cancel_requested`,
    [rebuildId, ...valuesOf(counts)],
  );
  return rows[0]?.cancel_requested ?? false;
}

export async function endRebuild(
  pool: Pool,
  rebuildId: number,
  counts: RebuildCounts,
  end: { at: Micros; outcome: string } & Pick<RebuildRow, 'failures' | 'rollup_differences'>,
): Promise<void> {
  await pool.query(
    `update rebuild set phase = $2, buckets_done = $3, buckets_of = $4, events = $5, players = $6, differences = $7,
                        swapped = $8, longest_pause_ms = $9, finished_at = $10, outcome = $11, failures = $12,
                        rollup_differences = $13
     where rebuild_id = $1`,
    [
      rebuildId,
      ...valuesOf({ ...counts, phase: 'over' }),
      timestamptzText(end.at),
      end.outcome,
      JSON.stringify(end.failures),
      JSON.stringify(end.rollup_differences),
    ],
  );
}

function valuesOf(counts: RebuildCounts): unknown[] {
  const { phase, buckets_done, buckets_of, events, players, differences, swapped, longest_pause_ms } = counts;
  return [phase, buckets_done, buckets_of, events, players, differences, swapped, Math.ceil(longest_pause_ms)];
}

/**
 * Closes the rows of rebuilds whose process was killed. Only the holder of the lock may call this, with the number of its rebuild.
 */
export async function endInterrupted(pool: Pool, running: number, at: Micros): Promise<void> {
  await pool.query(
    `update rebuild set finished_at = $2, outcome = 'interrupted', phase = 'over'
     where outcome is null and started_at is not null and rebuild_id <> $1`,
    [running, timestamptzText(at)],
  );
}

export async function saveDifferences(
  db: Pool | ClientBase,
  rebuildId: number,
  differences: readonly (Difference & { rows?: DifferingRows })[],
): Promise<void> {
  if (differences.length === 0) return;
  await db.query(
    `insert into rebuild_difference (rebuild_id, player_id, tables, live_hash, rebuilt_hash, swapped, rows)
     select $1, player_id, string_to_array(tables, ' '), live_hash, rebuilt_hash, false, rows
     from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::jsonb[])
       as d(player_id, tables, live_hash, rebuilt_hash, rows)
     on conflict (rebuild_id, player_id) do nothing`,
    [
      rebuildId,
      differences.map((d) => d.player_id),
      differences.map((d) => d.tables.join(' ')),
      differences.map((d) => d.live),
      differences.map((d) => d.rebuilt),
      differences.map((d) => (d.rows === undefined ? null : JSON.stringify(d.rows))),
    ],
  );
}

export async function markSwapped(tx: ClientBase, rebuildId: number, playerIds: readonly number[]): Promise<void> {
  await tx.query(
    'update rebuild_difference set swapped = true where rebuild_id = $1 and player_id = any ($2::bigint[])',
    [rebuildId, playerIds],
  );
}

export async function playerNumber(pool: Pool, brandId: number, userId: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 and user_id = $2',
    [brandId, userId],
  );
  return rows[0]?.player_id;
}

export async function userIdOf(pool: Pool, playerId: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ user_id: string }>('select user_id from player where player_id = $1', [playerId]);
  return rows[0]?.user_id;
}

/** Numbers of players in ascending order, one page at a time. */
export async function playersOf(
  db: ClientBase,
  of: { bucket: Bucket; brand_id: number | null; player_id: number | null },
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.query<{ player_id: number }>(
    `select player_id from player
     where bucket = $1 and ($2::int is null or brand_id = $2) and ($3::bigint is null or player_id = $3) and player_id > $4
     order by player_id limit $5`,
    [of.bucket, of.brand_id, of.player_id, after, limit],
  );
  return rows.map((row) => row.player_id);
}

/** Replaces the live rows of some players of a bucket with the rebuilt ones. */
export async function exchange(
  tx: ClientBase,
  schema: string,
  bucket: Bucket,
  playerIds: readonly number[],
): Promise<void> {
  await correctRollups(tx, schema, playerIds, bucket);
  for (const { name } of derivedTables) {
    await tx.query(`delete from live.${name} where player_id = any ($1::bigint[])`, [playerIds]);
    await tx.query(`insert into live.${name} select * from ${schema}.${name} where player_id = any ($1::bigint[])`, [
      playerIds,
    ]);
  }
}
