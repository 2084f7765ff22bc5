/*
 * The SQL that reads extremes again after the biggest, first or last bet or win was removed (totals/spec.ts): one row
 * per bet and win that counts. For nearly every round the columns are enough, which costs microseconds. For the others
 * it reads the encoded events (encode.ts) by the rules of base-amounts.ts. `round_bet` is the sum of all bets of the
 * round, for callers that look for a win (biggest-win.ts).
 *
 * Within a time span, rounds are found by the index on first_at, because everything that counts in a round is within 4
 * hours of its first_at. The few rounds that reach further have separate indexes: `long_end_at` (usual rounds whose win
 * is at that time) and `far_to`.
 */
interface Within {
  since: string;
  until: string;
}

const reach = `interval '4 hours'`;

const usualBets = (within?: Within) => `
  select player_id, first_at as at, day, vendor_id, game_id, bet_sum as bet_biggest, null::numeric as win_biggest,
         first_at as bet_at, null::timestamptz as win_at, bet_sum as round_bet
  from round where usual and bet_count = 1
  ${within === undefined ? '' : `and first_at >= ${within.since} and first_at < ${within.until}`}`;

const usualWins = (condition: string) => `
  select player_id, last_at, day, vendor_id, game_id, null, win_sum, null, last_at, bet_sum
  from round where usual and win_count = 1 ${condition}`;

const usualWinsWithin = ({ since, until }: Within) =>
  unionOf([
    usualWins(`and long_end_at is null and first_at >= ${since} - ${reach} and first_at < ${until}`),
    usualWins(`and long_end_at >= ${since} and long_end_at < ${until}`),
  ]);

/** Rounds whose events must be read. */
const others = (within?: Within) => {
  if (within === undefined) return 'round';
  const { since, until } = within;
  return `(
    select * from round where far_to is null and first_at >= ${since} - ${reach} and first_at < ${until} + ${reach}
    union all
    select * from round where far_to >= ${since} and coalesce(held_from, first_at) < ${until}
  )`;
};

/** The marks of bets and wins in force: encode.ts. A win of 0 does not count (`countedAs` in activity.ts). */
const isBet = (event: string) => `${event} ->> 0 like 'Bf%'`;
const isWin = (event: string) => `(${event} ->> 0 like 'Wf%' and ${event} ->> 3 <> '0')`;

const ofActivities = (within?: Within) => `
  select r.player_id, e.at, e.day, r.vendor_id, r.game_id,
         case when e.mark like 'B%' then e.base_amount end, case when e.mark like 'W%' then e.base_amount end,
         case when e.mark like 'B%' then e.at end, case when e.mark like 'W%' then e.at end, r.bet_sum
  from ${others(within)} r
  cross join lateral (
    select e ->> 0 as mark, r.first_at + (e ->> 1)::bigint * interval '1 microsecond' as at,
           coalesce((e -> 5 ->> 'd')::date, r.day) as day,
           case when not r.unpriced
                then trim_scale((e ->> 3)::numeric * coalesce(e -> 5 ->> 'r', r.events::jsonb -> 0 ->> 1)::numeric) end as base_amount
    from jsonb_array_elements(r.events::jsonb) e
    where ${isBet('e')} or ${isWin('e')}
  ) e
  where not r.usual and r.counted and r.from_casino`;

/** A message's bets and wins count as one each if no activity of that type is in force. */
const ofMessages = (within?: Within) => `
  select r.player_id, m.at, m.day, r.vendor_id, r.game_id,
         case when m.bets and not r.unpriced then r.bet_sum end, case when m.wins and not r.unpriced then r.win_sum end,
         case when m.bets then m.at end, case when m.wins then m.at end, r.bet_sum
  from ${others(within)} r
  cross join lateral (
    select r.first_at + (e ->> 1)::bigint * interval '1 microsecond' as at, coalesce((e -> 7 ->> 'd')::date, r.day) as day,
           r.bet_count = 1 and not exists (select from jsonb_array_elements(r.events::jsonb) b where ${isBet('b')}) as bets,
           r.win_count = 1 and not exists (select from jsonb_array_elements(r.events::jsonb) b where ${isWin('b')}) as wins
    from jsonb_array_elements(r.events::jsonb) e where e ->> 0 = 'M' limit 1
  ) m
  where not r.usual and r.from_gameround`;

/** Implements `TotalsSpec.facts` for the casino. */
export const countedMoments = unionOf([usualBets(), usualWins(''), ofActivities(), ofMessages()]);

/** Implements `TotalsSpec.factsWithin`. */
export function countedMomentsWithin(since: string, until: string): string {
  const within = { since, until };
  return unionOf([usualBets(within), usualWinsWithin(within), ofActivities(within), ofMessages(within)]);
}

function unionOf(branches: readonly string[]): string {
  return branches.join('\n  union all');
}
