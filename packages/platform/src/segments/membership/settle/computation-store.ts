import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

export interface Computation {
  version_id: number;
  purpose: 'compute' | 'recompute';
  after_id: number;
  done: number;
  total: number;
  corrected: number;
}

export interface NewComputation {
  version_id: number;
  brand_id: number;
  purpose: Computation['purpose'];
  /** Whether a computation in progress starts again with the first player. Its purpose does not change. Default: it continues. */
  startsAgain?: boolean;
}

export async function startComputation(
  tx: ClientBase | Pool,
  { version_id, brand_id, purpose, startsAgain = false }: NewComputation,
  at: Micros,
): Promise<void> {
  await tx.query(
    `insert into segment_computation (version_id, purpose, total, started_at)
     select $1::int, $2::text, count(*)::int, $3::timestamptz from player where brand_id = $4 and erased_at is null
     on conflict (version_id) do ${startsAgain ? 'update set after_id = 0, done = 0, total = excluded.total' : 'nothing'}`,
    [version_id, purpose, timestamptzText(at), brand_id],
  );
}

/** The running computations, the oldest first. */
export async function listComputations(db: Pool | ClientBase): Promise<Computation[]> {
  const { rows } = await db.query<Computation>(
    'select version_id, purpose, after_id, done, total, corrected from segment_computation order by started_at, version_id',
  );
  return rows;
}

/** @returns undefined if it has ended, or if another process has it */
export async function lockComputation(tx: ClientBase, versionId: number): Promise<Computation | undefined> {
  const { rows } = await tx.query<Computation>(
    `select version_id, purpose, after_id, done, total, corrected from segment_computation where version_id = $1
        for update skip locked`,
    [versionId],
  );
  return rows[0];
}

export async function nextRange(
  tx: ClientBase,
  brandId: number,
  after: number,
  size: number,
): Promise<{ through: number; players: number } | undefined> {
  const { rows } = await tx.query<{ through: number | null; players: number }>(
    `select max(player_id) as through, count(*)::int as players
       from (select player_id from player where brand_id = $1 and player_id > $2 order by player_id limit $3) p`,
    [brandId, after, size],
  );
  const [row] = rows;
  return row?.through == null ? undefined : { through: row.through, players: row.players };
}

export async function advance(
  tx: ClientBase,
  versionId: number,
  through: number,
  counts: { players: number; corrected: number; slowed: boolean },
): Promise<void> {
  await tx.query(
    `update segment_computation set after_id = $2, done = done + $3, corrected = corrected + $4, slowed = $5 where version_id = $1`,
    [versionId, through, counts.players, counts.corrected, counts.slowed],
  );
}

/** Waits for the current portion. @returns false if the computation had already ended */
export async function endComputation(tx: ClientBase, versionId: number): Promise<boolean> {
  const { rowCount } = await tx.query('delete from segment_computation where version_id = $1', [versionId]);
  return rowCount === 1;
}
