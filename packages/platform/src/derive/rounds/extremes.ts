/**
 * One row per bet and win that counts, as `TotalsSpec.facts` wants it: when and how big. Read from the encoded events
 * (encode.ts) by the rules of worth.ts, and only where something that was the biggest, first or last of its row has left.
 */
export const countedMoments = `
  select r.player_id, r.first_at + (e ->> 1)::bigint * interval '1 microsecond' as at,
         coalesce((e -> 5 ->> 'd')::date, r.day) as day, r.vendor_id, r.game_id,
         case when e ->> 0 like 'B%' then w.worth end as bet_biggest,
         case when e ->> 0 like 'W%' then w.worth end as win_biggest,
         case when e ->> 0 like 'B%' then r.first_at + (e ->> 1)::bigint * interval '1 microsecond' end as bet_at,
         case when e ->> 0 like 'W%' then r.first_at + (e ->> 1)::bigint * interval '1 microsecond' end as win_at
  from round r
  cross join lateral jsonb_array_elements(r.events::jsonb) e
  cross join lateral (
    select case when not r.unpriced
                then trim_scale((e ->> 3)::numeric * coalesce(e -> 5 ->> 'r', r.events::jsonb -> 0 ->> 1)::numeric) end as worth
  ) w
  where r.counted and (e ->> 0 like 'Bf%' or e ->> 0 like 'Wf%')
  union all
  select r.player_id, m.at, m.day, r.vendor_id, r.game_id,
         case when m.bets then case when r.unpriced then null else r.bet_sum end end,
         case when m.wins then case when r.unpriced then null else r.win_sum end end,
         case when m.bets then m.at end, case when m.wins then m.at end
  from round r
  cross join lateral (
    select r.first_at + (e ->> 1)::bigint * interval '1 microsecond' as at, coalesce((e -> 7 ->> 'd')::date, r.day) as day,
           r.bet_count = 1 and not exists (select from jsonb_array_elements(r.events::jsonb) b where b ->> 0 like 'Bf%') as bets,
           r.win_count = 1 and not exists (select from jsonb_array_elements(r.events::jsonb) b where b ->> 0 like 'Wf%') as wins
    from jsonb_array_elements(r.events::jsonb) e where e ->> 0 = 'M' limit 1
  ) m
  where r.from_gameround`;
