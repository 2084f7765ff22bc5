-- Sessions, balances and custom events of players, and the catalogue of games (src/derive/sessions, balances, custom, games).

-- Game sessions (scope game) and play sessions (scope play; vendor_id and game_id are empty). Sessions of one player and game,
-- and play sessions of one player, never overlap. A session grows with every round, by columns that no index holds.
create table live.session (
  player_id    bigint not null,
  scope        text not null check (scope in ('game', 'play')),
  started_at   timestamptz not null,
  vendor_id    text not null,
  game_id      text not null,
  ended_at     timestamptz not null,
  -- Day of `started_at` in the brand's time zone.
  day          date not null,
  -- Rounds that began in it. None in a session that is but the far end of a round of more than four hours.
  round_count  int not null,
  bet_count    int not null,
  -- In the base currency.
  bet_sum      numeric not null,
  win_sum      numeric not null,
  primary key (player_id, scope, started_at, vendor_id, game_id)
) with (fillfactor = 80);

-- The last balance per key (real_money, bonus_money, ...) as the operator reported it.
create table live.balance (
  player_id      bigint not null,
  key            text not null,
  at             timestamptz not null,
  fingerprint    bytea not null,
  amount         numeric not null,
  currency       text not null,
  exchange_rate  numeric not null,
  base_amount    numeric not null,
  origin         text not null,
  primary key (player_id, key)
) with (fillfactor = 80);

-- Custom events as they were sent. They have no key of their own: the fingerprint is a part of this one, and finds repeats. Rows
-- are as old as the history of the brand; what lasts of them is live.custom_count.
create table live.custom_event (
  player_id          bigint not null,
  notification_type  text not null,
  at                 timestamptz not null,
  fingerprint        bytea not null,
  origin             text not null,
  data               jsonb not null,
  primary key (player_id, notification_type, at, fingerprint)
);
create index custom_event_by_time on live.custom_event (player_id, at, fingerprint);
-- A few bytes for thousands of rows, which come nearly in the order of time: all that pruning asks for.
create index custom_event_age on live.custom_event using brin (at) with (autosummarize = on);

create table live.custom_count (
  player_id          bigint not null,
  notification_type  text not null,
  event_count        int not null,
  first_at           timestamptz not null,
  last_at            timestamptz not null,
  primary key (player_id, notification_type)
) with (fillfactor = 80);

-- Games and vendors of a brand with the names last heard of them (docs/decisions/0320). Not of a player, so not of schema live:
-- a rebuild adds to the same rows, and changes none that has heard the same events.
create table game (
  brand_id   int not null,
  vendor_id  text not null,
  game_id    text not null,
  name       text,
  -- The latest UTC day on which an event carried a name.
  name_day   date,
  type       text,
  type_day   date,
  primary key (brand_id, vendor_id, game_id)
);

create table vendor (
  brand_id   int not null,
  vendor_id  text not null,
  name       text,
  name_day   date,
  primary key (brand_id, vendor_id)
);
