import type { ClientBase, Pool } from 'pg';
import type { Difference } from './compare.ts';
import type { DifferingRows } from './rows.ts';
import type { RebuildRow } from './store.ts';

type Db = Pool | ClientBase;

/** Lists rebuilds, newest first. If a brand is given, lists its rebuilds and the rebuilds of all brands. */
export async function readRebuilds(
  db: Db,
  limit: number,
  { brand_id, before }: { brand_id?: number; before?: number | undefined } = {},
): Promise<(RebuildRow & { user_id: string | null })[]> {
  const { rows } = await db.query<RebuildRow & { user_id: string | null }>(
    `select r.*, p.user_id from rebuild r left join player p using (player_id)
     where ($2::int is null or r.brand_id = $2 or r.brand_id is null) and ($3::bigint is null or rebuild_id < $3)
     order by rebuild_id desc limit $1`,
    [limit, brand_id ?? null, before ?? null],
  );
  return rows;
}

export async function readRebuild(
  db: Db,
  rebuildId: number,
  brandId: number,
): Promise<(RebuildRow & { user_id: string | null }) | undefined> {
  const { rows } = await db.query<RebuildRow & { user_id: string | null }>(
    `select r.*, p.user_id from rebuild r left join player p using (player_id)
     where rebuild_id = $1 and (r.brand_id = $2 or r.brand_id is null)`,
    [rebuildId, brandId],
  );
  return rows[0];
}

export interface ListedDifference extends Difference {
  user_id: string;
  swapped: boolean;
}

/** Lists the players that differ, in the order of their numbers. If a brand is given, lists only its players. */
export async function readDifferences(
  db: Db,
  rebuildId: number,
  limit: number,
  { brand_id, after }: { brand_id?: number; after?: number | undefined } = {},
): Promise<ListedDifference[]> {
  const { rows } = await db.query<ListedDifference>(
    `select d.player_id, p.user_id, tables, live_hash as live, rebuilt_hash as rebuilt, swapped
     from rebuild_difference d join player p using (player_id)
     where rebuild_id = $1 and player_id > $3 and ($4::int is null or p.brand_id = $4) order by player_id limit $2`,
    [rebuildId, limit, after ?? 0, brand_id ?? null],
  );
  return rows;
}

/** Returns the difference of one player, with the rows that only one side has (null if they were not stored). */
export async function readDifference(
  db: Db,
  rebuildId: number,
  playerId: number,
): Promise<(ListedDifference & { rows: DifferingRows | null }) | undefined> {
  const { rows } = await db.query<ListedDifference & { rows: DifferingRows | null }>(
    `select d.player_id, p.user_id, tables, live_hash as live, rebuilt_hash as rebuilt, swapped, rows
     from rebuild_difference d join player p using (player_id) where rebuild_id = $1 and player_id = $2`,
    [rebuildId, playerId],
  );
  return rows[0];
}
