import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

export interface Difference {
  player_id: number;
  user_id: string;
  found_at: Micros;
  is_member: boolean;
}

/** Stores the players whose membership a recomputation corrected. */
export async function noteDifferences(
  tx: ClientBase,
  found: { version_id: number; brand_id: number; at: Micros; entered: readonly number[]; left: readonly number[] },
): Promise<void> {
  const { version_id, brand_id, at, entered, left } = found;
  await tx.query(
    `insert into segment_difference (player_id, version_id, found_at, brand_id, is_member)
     select player_id, $1::int, $2::timestamptz, $3::int, true from unnest($4::bigint[]) player_id
     union all select player_id, $1::int, $2::timestamptz, $3::int, false from unnest($5::bigint[]) player_id
     on conflict do nothing`,
    [version_id, timestamptzText(at), brand_id, entered, left],
  );
}

/** The latest differences of some versions. */
export async function listDifferences(db: Pool, versions: readonly number[], limit: number): Promise<Difference[]> {
  const { rows } = await db.query<Difference>(
    `select d.player_id, p.user_id, d.found_at, d.is_member from segment_difference d join player p using (player_id)
      where d.version_id = any($1::int[]) order by d.found_at desc, d.player_id limit $2`,
    [versions, limit],
  );
  return rows;
}
