import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

/**
 * From here on a person has to know. No game has rounds of so many bets and wins: the operator gives all rounds of a game one id,
 * or none, and 72 hours without play never part them. The row is read and written whole with each batch, so it costs more and more.
 */
export const endlessFrom = 1_000;

const lookedBack: Micros = 24 * 3_600_000_000;
const newestEvents = 5_000;
const mostPlayers = 200;

/**
 * The most bets and wins that one of today's rounds holds, of the players of the newest events, if that is endless; else null. Such a
 * round is longer than 4 hours, of which few are: they have an index of their own.
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
