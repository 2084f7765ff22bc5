import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/** A player whose segments are not updated. Operations staff see the player and the reason. */
export interface FailingPlayer {
  player_id: number;
  /** Null if the player was erased. */
  user_id: string | null;
  /** When the first of the consecutive failures happened. */
  since: Micros;
  failed_at: Micros;
  failures: number;
  /** The latest reason. If PostgreSQL refused a value, the reason does not contain it. */
  reason: string;
}

export async function notePlayerFailures(
  db: Pool | ClientBase,
  failures: readonly { player_id: number; reason: string }[],
  at: Micros,
): Promise<void> {
  if (failures.length === 0) return;
  await db.query({
    name: 'note_segment_player_failures',
    text: `insert into segment_player_failure as f (player_id, brand_id, since, failed_at, reason)
           select p.player_id, p.brand_id, $3, $3, n.reason
             from unnest($1::bigint[], $2::text[]) as n (player_id, reason) join player p using (player_id) order by 1
           on conflict (player_id) do update
              set failed_at = excluded.failed_at, failures = f.failures + 1, reason = excluded.reason`,
    values: [failures.map(({ player_id }) => player_id), failures.map(({ reason }) => reason), timestamptzText(at)],
  });
}

/** The stored failures of players of these buckets, to hold these players back from the start. */
export async function readPlayerFailures(
  db: Pool | ClientBase,
  buckets: readonly number[],
  limit: number,
): Promise<Pick<FailingPlayer, 'player_id' | 'failed_at' | 'failures'>[]> {
  const { rows } = await db.query<Pick<FailingPlayer, 'player_id' | 'failed_at' | 'failures'>>({
    name: 'read_segment_player_failures',
    text: `select player_id, failed_at, failures from segment_player_failure
            where (player_id & 63) = any($1::int[]) order by player_id limit $2`,
    values: [buckets, limit],
  });
  return rows;
}

/** Deletes the rows of players of these buckets who no longer fail. */
export async function forgetPlayerFailures(
  db: Pool | ClientBase,
  buckets: readonly number[],
  failing: readonly number[],
): Promise<void> {
  await db.query({
    name: 'forget_segment_player_failures',
    text: 'delete from segment_player_failure where (player_id & 63) = any($1::int[]) and player_id <> all($2::bigint[])',
    values: [buckets, failing],
  });
}

/** How many players fail. */
export interface FailingPlayers {
  players: number;
  /** When the first of them began to fail. */
  since: Micros | null;
  /** The latest reason. */
  reason: string | null;
}

/** @param brandId null: of all brands */
export async function readFailingPlayers(db: Pool | ClientBase, brandId: number | null): Promise<FailingPlayers> {
  const { rows } = await db.query<FailingPlayers>(
    `select count(*)::int as players, min(since) as since, (array_agg(reason order by failed_at desc, player_id))[1] as reason
       from segment_player_failure where $1::int is null or brand_id = $1`,
    [brandId],
  );
  return rows[0] ?? { players: 0, since: null, reason: null };
}

/** The players of a brand, those who fail longest first. @param after the last one of the page before */
export async function listFailingPlayers(
  db: Pool | ClientBase,
  brandId: number,
  { after, limit }: { after?: { since: Micros; player_id: number } | undefined; limit: number },
): Promise<FailingPlayer[]> {
  const { rows } = await db.query<FailingPlayer>(
    `select f.player_id, case when p.erased_at is null then p.user_id end as user_id, f.since, f.failed_at, f.failures, f.reason
       from segment_player_failure f join player p using (player_id)
      where f.brand_id = $1 and ($2::timestamptz is null or (f.since, f.player_id) > ($2, $3))
      order by f.since, f.player_id limit $4`,
    [brandId, after === undefined ? null : timestamptzText(after.since), after?.player_id ?? null, limit],
  );
  return rows;
}
