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
