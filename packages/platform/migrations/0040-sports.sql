-- Sports totals are split by the sport of their bets (src/derive/sports/sport.ts), as the casino's are by game: for the favourite sport.
-- The rows there are are made again from the facts, which hold all that it takes, on both sides: nothing has to be rebuilt.

create function pg_temp.sport_of(details jsonb) returns text language sql as $$
  select coalesce((
    select selection ->> 'sports_name'
    from jsonb_array_elements(details -> 'selections') with ordinality as s(selection, place)
    where selection ->> 'sports_name' <> ''
    group by 1 order by count(*) desc, min(place) limit 1
  ), '')
$$;

create function pg_temp.part_of(version jsonb, part text) returns numeric language sql as $$
  select coalesce((version -> 'details' -> 'parts' ->> part)::numeric, 0) * (version ->> 'exchange_rate')::numeric
$$;

do $$
declare
  before text := current_setting('search_path');
  side text;
begin
  foreach side in array array['live', 'baseline'] loop
    continue when to_regclass(side || '.bet') is null;
    perform set_config('search_path', side || ', public', true);

    alter table bet add column sports_name text not null default '';
    alter table bet alter column sports_name drop default;
    update bet b set sports_name = s.sports_name
    from (
      select player_id, bet_key, pg_temp.sport_of(approved -> 0 -> 'details') as sports_name
      from sports_activity where type = 'Bet' and approved <> '[]'
    ) s
    where b.player_id = s.player_id and b.bet_key = s.bet_key and s.sports_name <> '';

    truncate sports_total, sports_day;
    alter table sports_total
      add column sports_name text not null,
      drop constraint sports_total_pkey,
      add primary key (player_id, sports_name);
    alter table sports_day
      add column sports_name text not null,
      drop constraint sports_day_pkey,
      add primary key (player_id, day, sports_name);

    -- One row per stake and per payout with effect (partsOf in src/derive/sports/parts.ts).
    create temp table sports_part on commit drop as
    with counted as (
      select b.player_id, b.bet_key, b.sports_name, b.live, b.free, a.type, a.at, a.day, a.base_amount,
             a.approved -> 0 as version, a.type = 'Settlement' and a.approved -> 0 ->> 'amount' <> '0' as won
      from bet b join sports_activity a on a.player_id = b.player_id and a.bet_key = b.bet_key
      where b.counted and a.in_force
    )
    select player_id, sports_name, day, at, type, won, base_amount,
           type = 'Bet' and free as free, type = 'Bet' and live as live,
           type = 'Settlement' and coalesce((version -> 'details' ->> 'cashout')::boolean, false) as cashout,
           type = 'Settlement' and row_number() over (
             partition by player_id, bet_key, type order by at, version ->> 'fingerprint' collate "C"
           ) = 1 as settles,
           pg_temp.part_of(version, 'real') as real_money,
           pg_temp.part_of(version, 'bonus') as bonus_money,
           pg_temp.part_of(version, 'locked') as locked_money
    from counted;

    insert into sports_total
      (player_id, sports_name, bet_count, win_count, settled_count, cashout_count, free_bet_count, live_bet_count,
       real_bet_sum, bonus_bet_sum, locked_bet_sum, real_win_sum, bonus_win_sum, locked_win_sum,
       bet_biggest, win_biggest, bet_first_at, bet_last_at, win_first_at, win_last_at)
    select player_id, sports_name, count(*) filter (where type = 'Bet'), count(*) filter (where won),
           count(*) filter (where settles), count(*) filter (where cashout), count(*) filter (where free),
           count(*) filter (where live),
           coalesce(trim_scale(sum(real_money) filter (where type = 'Bet')), 0),
           coalesce(trim_scale(sum(bonus_money) filter (where type = 'Bet')), 0),
           coalesce(trim_scale(sum(locked_money) filter (where type = 'Bet')), 0),
           coalesce(trim_scale(sum(real_money) filter (where type = 'Settlement')), 0),
           coalesce(trim_scale(sum(bonus_money) filter (where type = 'Settlement')), 0),
           coalesce(trim_scale(sum(locked_money) filter (where type = 'Settlement')), 0),
           max(base_amount) filter (where type = 'Bet'), max(base_amount) filter (where won),
           min(at) filter (where type = 'Bet'), max(at) filter (where type = 'Bet'),
           min(at) filter (where won), max(at) filter (where won)
    from sports_part
    group by player_id, sports_name order by player_id, sports_name;

    -- A later settlement over nothing, alone in its day, says nothing: such a row does not exist.
    insert into sports_day
      (player_id, day, sports_name, bet_count, win_count, settled_count, cashout_count, free_bet_count, live_bet_count,
       real_bet_sum, bonus_bet_sum, locked_bet_sum, real_win_sum, bonus_win_sum, locked_win_sum, bet_biggest, win_biggest)
    select player_id, day, sports_name, count(*) filter (where type = 'Bet'), count(*) filter (where won),
           count(*) filter (where settles), count(*) filter (where cashout), count(*) filter (where free),
           count(*) filter (where live),
           coalesce(trim_scale(sum(real_money) filter (where type = 'Bet')), 0),
           coalesce(trim_scale(sum(bonus_money) filter (where type = 'Bet')), 0),
           coalesce(trim_scale(sum(locked_money) filter (where type = 'Bet')), 0),
           coalesce(trim_scale(sum(real_money) filter (where type = 'Settlement')), 0),
           coalesce(trim_scale(sum(bonus_money) filter (where type = 'Settlement')), 0),
           coalesce(trim_scale(sum(locked_money) filter (where type = 'Settlement')), 0),
           max(base_amount) filter (where type = 'Bet'), max(base_amount) filter (where won)
    from sports_part
    group by player_id, day, sports_name
    having bool_or(type = 'Bet' or won or settles or cashout)
    order by player_id, day, sports_name;

    drop table sports_part;
  end loop;
  perform set_config('search_path', before, true);
end $$;
