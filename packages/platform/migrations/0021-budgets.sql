-- Funds that the platform had credited, as they come back through the ledger (src/derive/funds/README.md).

create table live.funds (
  player_id      bigint not null,
  intent_id      text not null,
  -- The highest holds.
  revision       int not null,
  fingerprint    bytea not null,
  -- False after a Rollback.
  counted        boolean not null,
  at             timestamptz not null,
  day            date not null,
  amount         numeric not null,
  currency       text not null,
  exchange_rate  numeric not null,
  base_amount    numeric not null,
  bonus_code     text,
  primary key (player_id, intent_id)
);
create index funds_by_time on live.funds (player_id, at);

create table live.funds_total (
  player_id                bigint primary key,
  funds_credited_count     int not null,
  funds_credited_sum       numeric not null,
  funds_credited_first_at  timestamptz,
  funds_credited_last_at   timestamptz
) with (fillfactor = 80);
create table live.funds_day (
  player_id             bigint not null,
  day                   date not null,
  funds_credited_count  int not null,
  funds_credited_sum    numeric not null,
  primary key (player_id, day)
) with (fillfactor = 80);
create table live.funds_hour (
  player_id             bigint not null,
  hour                  timestamptz not null,
  funds_credited_count  int not null,
  funds_credited_sum    numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index funds_hour_age on live.funds_hour (hour);
create table live.funds_brand_day (
  brand_id              int not null,
  day                   date not null,
  source                smallint not null,
  players               int not null,
  funds_credited_count  bigint not null,
  funds_credited_sum    numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Where days have been sealed, rebuilds read the baseline of every family.
do $$
declare
  made text;
begin
  if to_regclass('baseline.bonus') is not null then
    foreach made in array array['funds', 'funds_total', 'funds_day', 'funds_hour', 'funds_brand_day'] loop
      execute format('create table baseline.%I (like live.%I including all)', made, made);
    end loop;
  end if;
end $$;
