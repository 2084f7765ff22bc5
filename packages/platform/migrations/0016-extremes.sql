-- Indexes by which the biggest, first and last bet and win are read again, whatever the player's past (src/derive/totals/reread.ts).
-- Each is on columns that stay what they are while a fact grows, so that its updates stay on their page.

-- Null, or the last of all that the row holds, when the round is not `usual` and holds something more than 4 hours from first_at.
alter table live.round add column far_to timestamptz;
update live.round set far_to = coalesce(held_to, last_at)
where not usual
  and (coalesce(held_to, last_at) - first_at > interval '4 hours' or first_at - held_from > interval '4 hours');
create index round_by_far_end on live.round (player_id, far_to) where far_to is not null;

create index sports_settlement_by_time on live.sports_activity (player_id, at) where type = 'Settlement';

-- By the latest win of a ticket. A settlement without a win changes nothing here.
create index lottery_ticket_by_win on live.lottery_ticket (player_id, (win_at[1])) where cardinality(win_at) > 0;
create index lottery_ticket_by_spread_wins on live.lottery_ticket (player_id, (win_at[1]))
  where cardinality(win_at) > 1 and win_at[1] - win_at[cardinality(win_at)] > interval '4 hours';

-- The same for the state of dropped ledger days, once it is there.
do $$
begin
  if to_regclass('baseline.round') is not null then
    alter table baseline.round add column far_to timestamptz;
    update baseline.round set far_to = coalesce(held_to, last_at)
    where not usual
      and (coalesce(held_to, last_at) - first_at > interval '4 hours' or first_at - held_from > interval '4 hours');
    create index on baseline.round (player_id, far_to) where far_to is not null;
    create index on baseline.sports_activity (player_id, at) where type = 'Settlement';
    create index on baseline.lottery_ticket (player_id, (win_at[1])) where cardinality(win_at) > 0;
    create index on baseline.lottery_ticket (player_id, (win_at[1]))
      where cardinality(win_at) > 1 and win_at[1] - win_at[cardinality(win_at)] > interval '4 hours';
  end if;
end $$;
