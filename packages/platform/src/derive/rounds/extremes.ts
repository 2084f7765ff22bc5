/*
 * What extremes are read from again when the biggest, first or last bet or win has left (totals/spec.ts): one row per bet and win
 * that counts. Of nearly every round the columns tell, which costs microseconds; of the others the encoded events do (encode.ts),
 * by the rules of worth.ts. A rollback of the latest bet makes all rounds of its player be looked at, so this must be fast.
 */
const ofUsualRounds = (word: 'bet' | 'win', at: 'first_at' | 'last_at') => `
  select player_id, ${at} as at, day, vendor_id, game_id,
         ${word === 'bet' ? 'bet_sum' : 'null::numeric'} as bet_biggest, ${word === 'win' ? 'win_sum' : 'null::numeric'} as win_biggest,
         ${word === 'bet' ? at : 'null::timestamptz'} as bet_at, ${word === 'win' ? at : 'null::timestamptz'} as win_at
  from round where usual and ${word}_count = 1`;

const ofActivities = `
  select r.player_id, e.at, e.day, r.vendor_id, r.game_id,
         case when e.mark like 'B%' then e.worth end, case when e.mark like 'W%' then e.worth end,
         case when e.mark like 'B%' then e.at end, case when e.mark like 'W%' then e.at end
  from round r
  cross join lateral (
    select e ->> 0 as mark, r.first_at + (e ->> 1)::bigint * interval '1 microsecond' as at,
           coalesce((e -> 5 ->> 'd')::date, r.day) as day,
           case when not r.unpriced
                then trim_scale((e ->> 3)::numeric * coalesce(e -> 5 ->> 'r', r.events::jsonb -> 0 ->> 1)::numeric) end as worth
    from jsonb_array_elements(r.events::jsonb) e
    where e ->> 0 like 'Bf%' or e ->> 0 like 'Wf%'
  ) e
  where not r.usual and r.counted and r.from_casino`;

/** A message's bets and wins count once each, where no activity of that type is in force. */
const ofMessages = `
  select r.player_id, m.at, m.day, r.vendor_id, r.game_id,
         case when m.bets and not r.unpriced then r.bet_sum end, case when m.wins and not r.unpriced then r.win_sum end,
         case when m.bets then m.at end, case when m.wins then m.at end
  from round r
  cross join lateral (
    select r.first_at + (e ->> 1)::bigint * interval '1 microsecond' as at, coalesce((e -> 7 ->> 'd')::date, r.day) as day,
           r.bet_count = 1 and not exists (select from jsonb_array_elements(r.events::jsonb) b where b ->> 0 like 'Bf%') as bets,
           r.win_count = 1 and not exists (select from jsonb_array_elements(r.events::jsonb) b where b ->> 0 like 'Wf%') as wins
    from jsonb_array_elements(r.events::jsonb) e where e ->> 0 = 'M' limit 1
  ) m
  where not r.usual and r.from_gameround`;

/** `TotalsSpec.facts` of the casino. */
export const countedMoments = [
  ofUsualRounds('bet', 'first_at'),
  ofUsualRounds('win', 'last_at'),
  ofActivities,
  ofMessages,
].join('\n  union all');
