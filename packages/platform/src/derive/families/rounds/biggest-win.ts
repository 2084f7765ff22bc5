import type { DecimalText, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { factsOfDay } from '../../totals/index.ts';
import { casinoTotals } from './totals.ts';

/** The biggest casino win in a player's lifetime. */
export interface BiggestWin {
  vendor_id: string;
  game_id: string;
  day: string;
  /** Null, like the fields below, if its round is older than the history. */
  at: Micros | null;
  base_win: DecimalText;
  /** The sum of all bets of its round. */
  base_bet: DecimalText | null;
}

/**
 * Of several wins of the same size, returns the earliest. The totals contain the size, game and day of the win. This finds its exact time
 * among the rounds of that day. No extra data is stored, so a rollback has nothing more to update (docs/decisions/0807).
 */
export async function readBiggestWin(db: Pool | ClientBase, playerId: number): Promise<BiggestWin | undefined> {
  const { rows } = await db.query<BiggestWin>({
    name: 'read_biggest_win',
    text: biggestWinSql('$1'),
    values: [playerId],
  });
  return rows[0];
}

/** SQL of that row; no row for a player without a win. @param player SQL of the player_id */
export const biggestWinSql = (player: string): string => `
  select t.vendor_id, t.game_id, d.day, w.at, t.win_biggest as base_win, trim_scale(w.round_bet) as base_bet
  from (
    select vendor_id, game_id, win_biggest from casino_total
    where player_id = ${player} and win_biggest = (select max(win_biggest) from casino_total where player_id = ${player})
  ) t
  cross join lateral (
    select min(day) as day from casino_day
    where player_id = ${player} and vendor_id = t.vendor_id and game_id = t.game_id and win_biggest = t.win_biggest
  ) d
  left join lateral (
    select f.win_at as at, f.round_bet from ${factsOfDay(casinoTotals.spec, 'd.day')}
      and f.player_id = ${player} and f.vendor_id = t.vendor_id and f.game_id = t.game_id and f.win_biggest = t.win_biggest
    order by f.win_at, f.round_bet limit 1
  ) w on true
  order by d.day, w.at, t.vendor_id collate "C", t.game_id collate "C" limit 1`;
