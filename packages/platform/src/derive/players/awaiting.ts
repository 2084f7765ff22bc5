import type { ClientBase, Pool } from 'pg';
import { bucketCount } from '../../ledger/index.ts';

/**
 * Returns which of these players have an acknowledged event that can change their protection and is not applied yet.
 *
 * Call this before reading the facts concerned: an event that is applied in between then shows up here or in the facts.
 * The statement has no name, so that it is planned for the current number of waiting events.
 */
export async function playersAwaitingUpdate(
  db: Pool | ClientBase,
  playerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (playerIds.length === 0) return new Set();
  const { rows } = await db.query<{ player_id: number }>(
    `select p.player_id
       from player p cross join lateral (select player_hash_of(p.brand_id, p.user_id) as player_hash) h
      where p.player_id = any ($1::bigint[])
        and exists (select from pending_protection e
                     where e.bucket = (h.player_hash & ${bucketCount - 1})::smallint and e.player_hash = h.player_hash)`,
    [[...new Set(playerIds)]],
  );
  return new Set(rows.map(({ player_id }) => player_id));
}
