-- Rounds of casino games, from the events of two endpoints (src/derive/rounds/README.md).

-- One row per round, written when it begins and again with each of its events. None of the columns that change then is indexed,
-- so that those updates stay on their page.
create table live.round (
  player_id      bigint not null,
  -- 52 bits of a hash of vendor_id, game_id and round_id: points to the row, the ids themselves decide.
  round_key      bigint not null,
  -- First and last activity, rolled back ones too; without any the moment of the message.
  first_at       timestamptz not null,
  last_at        timestamptz not null,
  -- Null, or last_at of a round that spans more than 4 hours: sessions find its far end by it.
  long_end_at    timestamptz,
  -- Where they differ from first_at and last_at, the first and last of all that the row holds: messages beside activities,
  -- rollbacks, contradictions. Events of one key more than 72 hours from here are another round.
  held_from      timestamptz,
  held_to        timestamptz,
  -- Of first_at, in the brand's time zone.
  day            date not null,
  bet_count      int not null,
  win_count      int not null,
  -- Versions that lost against another one because their money differs.
  conflicts      smallint not null,
  -- Rollbacks that found nothing to take out.
  orphans        smallint not null,
  -- The endpoints that tell of it.
  from_casino    boolean not null,
  from_gameround boolean not null,
  -- False for a row of nothing but rollbacks and contradictions: no round of which sessions would know.
  played         boolean not null,
  -- Part of the totals: some activity, or a message, is in force.
  counted        boolean not null,
  closed         boolean not null,
  -- Counts without amounts: its message is in a currency of which no rate is known.
  unpriced       boolean not null,
  -- One bet at most, at first_at, and one win at most, at last_at, as big as bet_sum and win_sum, all on `day`: who looks for
  -- the biggest, first or last bet or win reads these columns. False: the events have to be read.
  usual          boolean not null default false,
  -- In the base currency, all parts.
  bet_sum        numeric not null,
  win_sum        numeric not null,
  vendor_id      text not null,
  game_id        text not null,
  round_id       text not null,
  -- The events, as JSON of arrays (src/derive/rounds/encode.ts). Text, because it is only ever read whole: jsonb is larger.
  events         text not null,
  primary key (player_id, round_key, first_at)
) with (fillfactor = 80);
create index round_by_time on live.round (player_id, first_at);
create index round_by_long_end on live.round (player_id, long_end_at) where long_end_at is not null;

-- Where an activity is held: the key of an activity does not contain its round, so an event that repeats, contradicts or rolls
-- back another one may name another round. Both numbers are 52 bits of a hash.
create table live.casino_activity (
  player_id  bigint not null,
  lookup     bigint not null,
  round_key  bigint not null,
  primary key (player_id, lookup, round_key)
);

create table live.casino_total (
  player_id       bigint not null,
  vendor_id       text not null,
  game_id         text not null,
  bet_count       int not null,
  win_count       int not null,
  round_count     int not null,
  real_bet_sum    numeric not null,
  bonus_bet_sum   numeric not null,
  locked_bet_sum  numeric not null,
  real_win_sum    numeric not null,
  bonus_win_sum   numeric not null,
  locked_win_sum  numeric not null,
  bet_biggest     numeric,
  win_biggest     numeric,
  bet_first_at    timestamptz,
  bet_last_at     timestamptz,
  win_first_at    timestamptz,
  win_last_at     timestamptz,
  primary key (player_id, vendor_id, game_id)
) with (fillfactor = 80);
create table live.casino_day (
  player_id       bigint not null,
  day             date not null,
  vendor_id       text not null,
  game_id         text not null,
  bet_count       int not null,
  win_count       int not null,
  round_count     int not null,
  real_bet_sum    numeric not null,
  bonus_bet_sum   numeric not null,
  locked_bet_sum  numeric not null,
  real_win_sum    numeric not null,
  bonus_win_sum   numeric not null,
  locked_win_sum  numeric not null,
  bet_biggest     numeric,
  win_biggest     numeric,
  primary key (player_id, day, vendor_id, game_id)
) with (fillfactor = 80);
create table live.casino_hour (
  player_id       bigint not null,
  hour            timestamptz not null,
  bet_count       int not null,
  win_count       int not null,
  round_count     int not null,
  real_bet_sum    numeric not null,
  bonus_bet_sum   numeric not null,
  locked_bet_sum  numeric not null,
  real_win_sum    numeric not null,
  bonus_win_sum   numeric not null,
  locked_win_sum  numeric not null,
  bet_biggest     numeric,
  win_biggest     numeric,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index casino_hour_age on live.casino_hour (hour);
create table live.casino_brand_day (
  brand_id        int not null,
  day             date not null,
  source          smallint not null,
  players         int not null,
  bet_count       bigint not null,
  win_count       bigint not null,
  round_count     bigint not null,
  real_bet_sum    numeric not null,
  bonus_bet_sum   numeric not null,
  locked_bet_sum  numeric not null,
  real_win_sum    numeric not null,
  bonus_win_sum   numeric not null,
  locked_win_sum  numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);
