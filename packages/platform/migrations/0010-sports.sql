-- Sports bets (src/derive/sports/README.md).

-- What an operator says under one activity_id and type: rarely changed once it is there, but read with its whole bet.
create table live.sports_activity (
  player_id     bigint not null,
  -- 16 bytes: hash of type and activity_id.
  activity_key  bytea not null,
  -- 16 bytes: hash of the activity_id of the Bet that it belongs to.
  bet_key       bytea not null,
  activity_id   text not null,
  type          text not null check (type in ('Bet', 'Settlement')),
  -- Approved and not rolled back. It has an effect when its Bet is in force, too (live.bet.counted).
  in_force      boolean not null,
  -- Of the version that stands.
  at            timestamptz not null,
  day           date not null,
  base_amount   numeric not null,
  -- Versions of each status, those that stand first (ActivityVersion in src/derive/sports/activity.ts).
  approved      jsonb not null,
  rollbacks     jsonb not null,
  primary key (player_id, activity_key)
);
create index sports_activity_of_bet on live.sports_activity (player_id, bet_key);

-- What the activities of one bet amount to. A settlement rewrites the row; none of those columns is indexed.
create table live.bet (
  player_id         bigint not null,
  bet_key           bytea not null,
  bet_id            text not null,
  state             text not null check (state in ('open', 'settled', 'cashed_out', 'rolled_back', 'orphan')),
  -- True while the Bet is in force: then stake and settlements are part of the totals.
  counted           boolean not null,
  -- Settlements and rollbacks without their counterpart.
  orphans           int not null,
  at                timestamptz not null,
  day               date not null,
  -- Null, like what follows up to the stake, while the Bet itself is missing.
  bet_type          text,
  live              boolean,
  free              boolean,
  risk_free         boolean,
  odds              numeric,
  amount            numeric,
  currency          text,
  exchange_rate     numeric,
  base_amount       numeric,
  base_payout       numeric not null,
  settlement_count  int not null,
  cashout_count     int not null,
  settled_at        timestamptz,
  conflicts         int not null,
  primary key (player_id, bet_key)
) with (fillfactor = 80);
create index bet_by_time on live.bet (player_id, at);

create table live.sports_total (
  player_id        bigint primary key,
  bet_count        int not null,
  win_count        int not null,
  settled_count    int not null,
  cashout_count    int not null,
  free_bet_count   int not null,
  live_bet_count   int not null,
  real_bet_sum     numeric not null,
  bonus_bet_sum    numeric not null,
  locked_bet_sum   numeric not null,
  real_win_sum     numeric not null,
  bonus_win_sum    numeric not null,
  locked_win_sum   numeric not null,
  bet_biggest      numeric,
  win_biggest      numeric,
  bet_first_at     timestamptz,
  bet_last_at      timestamptz,
  win_first_at     timestamptz,
  win_last_at      timestamptz
) with (fillfactor = 80);
create table live.sports_day (
  player_id        bigint not null,
  day              date not null,
  bet_count        int not null,
  win_count        int not null,
  settled_count    int not null,
  cashout_count    int not null,
  free_bet_count   int not null,
  live_bet_count   int not null,
  real_bet_sum     numeric not null,
  bonus_bet_sum    numeric not null,
  locked_bet_sum   numeric not null,
  real_win_sum     numeric not null,
  bonus_win_sum    numeric not null,
  locked_win_sum   numeric not null,
  bet_biggest      numeric,
  win_biggest      numeric,
  primary key (player_id, day)
) with (fillfactor = 80);
create table live.sports_hour (
  player_id        bigint not null,
  hour             timestamptz not null,
  bet_count        int not null,
  win_count        int not null,
  settled_count    int not null,
  cashout_count    int not null,
  free_bet_count   int not null,
  live_bet_count   int not null,
  real_bet_sum     numeric not null,
  bonus_bet_sum    numeric not null,
  locked_bet_sum   numeric not null,
  real_win_sum     numeric not null,
  bonus_win_sum    numeric not null,
  locked_win_sum   numeric not null,
  bet_biggest      numeric,
  win_biggest      numeric,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index sports_hour_age on live.sports_hour (hour);
create table live.sports_brand_day (
  brand_id         int not null,
  day              date not null,
  source           smallint not null,
  players          int not null,
  bet_count        bigint not null,
  win_count        bigint not null,
  settled_count    bigint not null,
  cashout_count    bigint not null,
  free_bet_count   bigint not null,
  live_bet_count   bigint not null,
  real_bet_sum     numeric not null,
  bonus_bet_sum    numeric not null,
  locked_bet_sum   numeric not null,
  real_win_sum     numeric not null,
  bonus_win_sum    numeric not null,
  locked_win_sum   numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);
