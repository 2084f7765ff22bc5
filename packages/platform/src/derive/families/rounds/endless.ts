import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/**
 * From this size on, a person must be notified. No game has rounds with so many bets and wins: the operator gives all
 * rounds of a game the same id, or none, and 72 hours without play never separate them. Each batch reads and writes the
 * whole row, so the cost keeps growing.
 */
export const endlessFrom = 1_000;

const lookedBack: Micros = 24 * 3_600_000_000;
const newestEvents = 5_000;
const mostPlayers = 200;

/**
 * Returns the size of the largest round, in bets and wins, or null if no round reaches `endlessFrom`. It reads only rounds of the
 * last 24 hours, of players who have the newest events. Endless rounds last longer than 4 hours, so it reads only rounds of that
 * length. These are few, and have a separate index.
 */
export async function endlessRound(db: Pool | ClientBase, brandId: number, now: Micros): Promise<number | null> {
  const { rows } = await db.query<{ events: number | null }>(
    `select max(r.bet_count + r.win_count) as events
     from (
       select distinct player_id from (
         select player_id from journal
         where brand_id = $1 and received_at > $2 order by received_at desc limit ${newestEvents}
       ) newest
       where player_id is not null limit ${mostPlayers}
     ) p
     cross join lateral (
       select bet_count, win_count from round
       where player_id = p.player_id and long_end_at > $2 and bet_count + win_count >= ${endlessFrom} offset 0
     ) r`,
    [brandId, timestamptzText(now - lookedBack)],
  );
  return rows[0]?.events ?? null;
}
