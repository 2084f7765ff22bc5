import type { ClientBase } from 'pg';
import { conditionOf } from './filter.ts';
import type { ResyncRun } from './run.ts';

/**
 * The longest range of player_id that one step searches: 20,000 players, because each player has 64 ids. A range without
 * matching players takes some milliseconds.
 */
const stretchIds = 20_000 * 64;

/** Counts the matching players, and finds the last of them. Players who register later are looked up as new players. */
export async function countPlayers(
  tx: ClientBase,
  run: ResyncRun,
): Promise<{ total: number; last_player_id: number | null }> {
  const { from, where, values } = playersOf(run);
  const { rows } = await tx.query<{ total: number; last_player_id: number | null }>(
    `select count(*) as total, max(p.player_id) as last_player_id from ${from} where ${where}`,
    values,
  );
  return rows[0] ?? { total: 0, last_player_id: null };
}

/** The next matching players, and how far the run has searched then. */
export async function nextPlayers(
  tx: ClientBase,
  run: ResyncRun & { last_player_id: number },
  limit: number,
): Promise<{ player_ids: number[]; position: number }> {
  const end = Math.min(run.last_player_id, run.position + stretchIds);
  const { from, where, values } = playersOf(run);
  const place = values.length;
  const { rows } = await tx.query<{ player_id: number }>(
    `select p.player_id from ${from}
      where p.player_id > $${place + 1} and p.player_id <= $${place + 2} and ${where}
      order by p.player_id limit $${place + 3}`,
    [...values, run.position, end, limit],
  );
  const player_ids = rows.map(({ player_id }) => player_id);
  const isFull = player_ids.length === limit;
  return { player_ids, position: (isFull ? player_ids.at(-1) : end) ?? end };
}

function playersOf(run: ResyncRun): { from: string; where: string; values: unknown[] } {
  const values: unknown[] = [run.brand_id];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const condition = conditionOf(run.filter, run.look_ups, bind);
  const named =
    run.named === null
      ? 'true'
      : `p.player_id in (select unnest(r.player_ids) from resync r where r.resync_id = ${bind(run.resync_id)})`;
  return {
    from: 'player p left join player_profile f on f.player_id = p.player_id',
    where: `p.brand_id = $1 and p.erased_at is null and ${named} and ${condition}`,
    values,
  };
}
