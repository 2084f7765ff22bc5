import type { PlayerScope } from '../rule-reading.ts';

/** The players that a statement is about: a range of player_ids, with an exclusive lower end, or a list. */
export type Players = { readonly after: number; readonly through: number } | { readonly ids: readonly number[] };

/** @param given the parameters of the statement. The parameters of the scope follow them */
export function scopeOf(players: Players, given: readonly unknown[]): { scope: PlayerScope; values: unknown[] } {
  const place = given.length + 1;
  if ('ids' in players)
    return { scope: (column) => `${column} = any($${place}::bigint[])`, values: [...given, players.ids] };
  const { after, through } = players;
  return {
    scope: (column) => `${column} > $${place}::bigint and ${column} <= $${place + 1}::bigint`,
    values: [...given, after, through],
  };
}
