import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { Bucket, LedgerPosition } from '../../ledger/index.ts';
import { derivedTables } from '../families.ts';
import { correctRollups } from '../rollups/index.ts';
import type { Difference } from './compare.ts';

export interface RebuildRow {
  rebuild_id: number;
  brand_id: number | null;
  player_id: number | null;
  swap: boolean;
  started_at: Micros;
  finished_at: Micros | null;
  outcome: string | null;
  events: number;
  players: number;
  differences: number;
}

export async function insertRebuild(
  pool: Pool,
  rebuild: Pick<RebuildRow, 'brand_id' | 'player_id' | 'swap' | 'started_at'>,
): Promise<number> {
  const { rows } = await pool.query<{ rebuild_id: number }>(
    `insert into rebuild (brand_id, player_id, swap, started_at) values ($1, $2, $3, $4) returning rebuild_id`,
    [rebuild.brand_id, rebuild.player_id, rebuild.swap, timestamptzText(rebuild.started_at)],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('the database gave the rebuild no number');
  return row.rebuild_id;
}

/** Keeps how far a rebuild has come; with an outcome it is finished. */
export async function updateRebuild(
  pool: Pool,
  rebuildId: number,
  counts: { events: number; players: number; differences: number },
  end?: { at: Micros; outcome: string },
): Promise<void> {
  await pool.query(
    `update rebuild set events = $2, players = $3, differences = $4, finished_at = $5, outcome = $6 where rebuild_id = $1`,
    [
      rebuildId,
      counts.events,
      counts.players,
      counts.differences,
      end === undefined ? null : timestamptzText(end.at),
      end?.outcome ?? null,
    ],
  );
}

/** Closes the rows of rebuilds whose process was killed. To be called by the one that runs, which holds the lock. */
export async function endInterrupted(pool: Pool, running: number, at: Micros): Promise<void> {
  await pool.query(
    `update rebuild set finished_at = $2, outcome = 'interrupted' where outcome is null and rebuild_id < $1`,
    [running, timestamptzText(at)],
  );
}

export async function saveDifferences(
  db: Pool | ClientBase,
  rebuildId: number,
  differences: readonly Difference[],
): Promise<void> {
  await db.query(
    `insert into rebuild_difference (rebuild_id, player_id, tables, live_hash, rebuilt_hash, swapped)
     select $1, player_id, string_to_array(tables, ' '), live_hash, rebuilt_hash, false
     from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) as d(player_id, tables, live_hash, rebuilt_hash)`,
    [
      rebuildId,
      differences.map((d) => d.player_id),
      differences.map((d) => d.tables.join(' ')),
      differences.map((d) => d.live),
      differences.map((d) => d.rebuilt),
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

export async function readRebuilds(db: Pool | ClientBase, limit: number): Promise<RebuildRow[]> {
  const { rows } = await db.query<RebuildRow>('select * from rebuild order by rebuild_id desc limit $1', [limit]);
  return rows;
}

export async function readDifferences(
  db: Pool | ClientBase,
  rebuildId: number,
  limit: number,
): Promise<(Difference & { swapped: boolean })[]> {
  const { rows } = await db.query<Difference & { swapped: boolean }>(
    `select player_id, tables, live_hash as live, rebuilt_hash as rebuilt, swapped
     from rebuild_difference where rebuild_id = $1 order by player_id limit $2`,
    [rebuildId, limit],
  );
  return rows;
}

/** Events behind the cursor that are not applied, because they are parked. */
export async function parkedPositionsOf(db: Pool | ClientBase, buckets: readonly Bucket[]): Promise<LedgerPosition[]> {
  const { rows } = await db.query<LedgerPosition>(
    'select writer_id, seq, index from parked_event where bucket = any ($1::smallint[])',
    [buckets],
  );
  return rows;
}

/** Numbers of players in ascending order, a page at a time. */
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

/** Puts the rebuilt rows of some players of a bucket in the place of their live ones. */
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
