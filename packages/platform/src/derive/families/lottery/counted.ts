/**
 * One row per bet and per win that counts, as `TotalsSpec.facts` requires. PostgreSQL does not push a join condition into
 * a union: if callers joined the union itself, it would scan both tables for every row that is read again. Therefore
 * callers join `player_activity`, and each part of the union selects only the rows of that player.
 */
const counted = (winning: string) => `
  select p.player_id, c.*
  from player_activity p cross join lateral (
    select at, day, lottery_id, base_amount as bet_biggest, null::numeric as win_biggest, at as bet_at,
           null::timestamptz as win_at
    from lottery_purchase where player_id = p.player_id and state = 'bought'
    union all
    select at, day, lottery_id, base_amount, null, at, null
    from lottery_ticket where player_id = p.player_id and state <> 'orphan'
    union all
    select w.at, w.day, t.lottery_id, null, w.base_amount, null, w.at
    from ${winning} t, unnest(t.win_at, t.win_day, t.win_base_amount) as w(at, day, base_amount)
    where t.player_id = p.player_id and t.state <> 'orphan'
  ) c`;

export const countedBetsAndWins = counted('lottery_ticket');

/**
 * Implements `TotalsSpec.factsWithin`. Wins are stored with the latest first. The wins of one ticket are mostly settled
 * within 4 hours, so the index on the latest win finds them. Tickets whose wins are further apart have an index of
 * their own.
 */
export function countedWithin(since: string, until: string): string {
  const isSpread = `cardinality(win_at) > 1 and win_at[1] - win_at[cardinality(win_at)] > interval '4 hours'`;
  return counted(`(
      select * from lottery_ticket
      where cardinality(win_at) > 0 and win_at[1] >= ${since} and win_at[1] < ${until} + interval '4 hours'
        and not (${isSpread})
      union all
      select * from lottery_ticket where ${isSpread} and win_at[1] >= ${since}
    )`);
}
