import { biggestWinSql, type TraitSource } from '../../../derive/index.ts';
import type { Joins } from '../joins.ts';
import type { FieldReading } from '../reading.ts';
import { quotientSql } from './formula-sql.ts';
import { sinceReading } from './since.ts';

type Show = Extract<TraitSource, { from: 'biggest_win' }>['show'];

/** A value of the biggest casino win of a player (derive/families/rounds/biggest-win.ts). */
export function biggestWinReading(show: Show): Omit<FieldReading, 'field'> {
  switch (show) {
    case 'at':
    case 'game_id':
    case 'vendor_id':
      return { sql: (joins) => `${biggestWin(joins)}.${show}` };
    case 'multiplier':
      return { sql: (joins) => quotientSql(`${biggestWin(joins)}.base_win`, `${biggestWin(joins)}.base_bet`) };
    case 'days_since':
      return sinceReading('day of the biggest win', (joins) => `${biggestWin(joins)}.day`);
    default:
      return show satisfies never;
  }
}

function biggestWin(joins: Joins): string {
  return joins.query(
    'biggest win',
    (where) =>
      `select m.player_id, w.* from (select distinct player_id from casino_total ${where('player_id', 'win_biggest is not null')}) m
       cross join lateral (${biggestWinSql('m.player_id')}) w`,
  );
}
