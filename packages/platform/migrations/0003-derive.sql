-- The tables of derive (src/derive/README.md): facts, their totals, and how events arrived.
--
-- Schema `live` holds derived state. It is a function of the set of events: no column depends on when or in which order they
-- arrived. So a rebuild can be compared with it row by row. The key of every table begins with player_id. Numbers are stored
-- with trim_scale, so that equal amounts are equal texts. Tables whose rows are updated in place leave room on each page for
-- the new version, so that index entries do not change.
create schema live;

-- The same tables as in `live`, with the state that the events of all dropped ledger days produce. They are created from those
-- of `live` before the first day is sealed (src/derive/history/baseline.ts). A later migration that changes a table of `live`
-- must make the same change here: `alter table if exists baseline.<name> ...`.
create schema baseline;

-- Players and their logins (src/derive/players, families/registrations, families/logins).

-- New players that later stages have not processed yet. A stage deletes the rows that it has processed.
create table new_player ( -- cell
  player_id  bigint primary key,
  brand_id   int not null
);

-- One row per player, from any event.
create table live.player_activity ( -- cell
  player_id       bigint primary key,
  first_event_at  timestamptz not null,
  last_event_at   timestamptz not null,
  -- The origin of the latest event that has one. If several events have that time, the origin that sorts first.
  origin          text,
  origin_at       timestamptz
) with (fillfactor = 80);

-- One row per player: the earliest registration.
create table live.registration ( -- cell
  player_id    bigint primary key,
  at           timestamptz not null,
  -- The day in the brand's time zone.
  day          date not null,
  fingerprint  bytea not null,
  origin       text,
  url_referer  text
);
create table live.registration_total ( -- cell
  player_id           bigint primary key,
  registration_count  int not null
) with (fillfactor = 80);
create table live.registration_day ( -- cell
  player_id           bigint not null,
  day                 date not null,
  registration_count  int not null,
  primary key (player_id, day)
) with (fillfactor = 80);
create table live.registration_hour ( -- cell
  player_id           bigint not null,
  hour                timestamptz not null,
  registration_count  int not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index registration_hour_age on live.registration_hour (hour);

create table live.registration_brand_day ( -- cell: its own
  brand_id            int not null,
  day                 date not null,
  source              smallint not null,
  players             int not null,
  registration_count  bigint not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

create table live.login ( -- cell
  player_id        bigint not null,
  action           text not null check (action in ('login', 'logout')),
  at               timestamptz not null,
  fingerprint      bytea not null,
  -- The day in the brand's time zone.
  day              date not null,
  -- False for a login of staff as the player. It causes look-ups but counts nowhere.
  counted          boolean not null,
  origin           text,
  primary key (player_id, action, at)
);

create table live.login_total ( -- cell
  player_id        bigint primary key,
  login_count      int not null,
  logout_count     int not null,
  login_first_at   timestamptz,
  login_last_at    timestamptz,
  logout_first_at  timestamptz,
  logout_last_at   timestamptz
) with (fillfactor = 80);
create table live.login_day ( -- cell
  player_id        bigint not null,
  day              date not null,
  login_count      int not null,
  logout_count     int not null,
  primary key (player_id, day)
) with (fillfactor = 80);
create table live.login_hour ( -- cell
  player_id        bigint not null,
  hour             timestamptz not null,
  login_count      int not null,
  logout_count     int not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index login_hour_age on live.login_hour (hour);

create table live.login_brand_day ( -- cell: its own
  brand_id             int not null,
  day                  date not null,
  source               smallint not null,
  players              int not null,
  login_count          bigint not null,
  logout_count         bigint not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Payments (src/derive/families/payments/README.md). Their totals are split by vendor, and rolled up per brand and day
-- (src/derive/totals/README.md).

create table live.payment ( -- cell
  player_id      bigint not null,
  -- 16 bytes: the hash of payment_id and type. Without a payment_id, the fingerprint of the payment's only event.
  payment_key    bytea not null,
  payment_id     text,
  type           text not null check (type in ('Credit', 'Debit')),
  status         text not null,
  -- True for a Rollback, Rejected or Cancelled without its payment. It is listed and has no effect.
  orphan         boolean not null,
  -- True while an Approved is in force. The payment is then part of the totals.
  counted        boolean not null,
  -- True if the payment was approved again after a Rollback.
  reapproved     boolean not null,
  -- The time of the Approved in force. Without one, the time of the event that represents the payment (README.md), for example
  -- the Rejected or Cancelled of a refused payment.
  at             timestamptz not null,
  day            date not null,
  amount         numeric not null,
  currency       text not null,
  exchange_rate  numeric not null,
  base_amount    numeric not null,
  base_fee       numeric not null,
  vendor_id      text not null,
  vendor_name    text,
  origin         text not null,
  bonus_code     text,
  note           text,
  conflicts      int not null,
  -- The versions of its events, in canonical order (maxVersionsOfKey, PaymentEvent in src/derive/families/payments/payment.ts).
  events         jsonb not null,
  primary key (player_id, payment_key)
);
create index payment_by_time on live.payment (player_id, at);

create table live.payment_total ( -- cell
  player_id            bigint not null,
  vendor_id            text not null,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  deposit_first_at     timestamptz,
  deposit_last_at      timestamptz,
  withdrawal_first_at  timestamptz,
  withdrawal_last_at   timestamptz,
  primary key (player_id, vendor_id)
) with (fillfactor = 80);

create table live.payment_day ( -- cell
  player_id            bigint not null,
  day                  date not null,
  vendor_id            text not null,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  primary key (player_id, day, vendor_id)
) with (fillfactor = 80);

create table live.payment_hour ( -- cell
  player_id            bigint not null,
  hour                 timestamptz not null,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index payment_hour_age on live.payment_hour (hour);

-- Sums over all players of a brand. `source` is the lowest bucket that the writing worker owned. The value of a day is the sum
-- of its rows.
create table live.payment_brand_day ( -- cell: its own
  brand_id             int not null,
  day                  date not null,
  source               smallint not null,
  -- Number of players with a row of that day in payment_day.
  players              int not null,
  deposit_count        bigint not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     bigint not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Deposits that were rejected or cancelled. They are not part of payment_total, whose days count the players who paid.

create table live.refused_deposit_total ( -- cell
  player_id                   bigint not null,
  deposit_rejected_count      int not null,
  deposit_cancelled_count     int not null,
  deposit_rejected_sum        numeric not null,
  deposit_cancelled_sum       numeric not null,
  deposit_rejected_first_at   timestamptz,
  deposit_rejected_last_at    timestamptz,
  deposit_cancelled_first_at  timestamptz,
  deposit_cancelled_last_at   timestamptz,
  primary key (player_id)
) with (fillfactor = 80);

create table live.refused_deposit_day ( -- cell
  player_id                   bigint not null,
  day                         date not null,
  deposit_rejected_count      int not null,
  deposit_cancelled_count     int not null,
  deposit_rejected_sum        numeric not null,
  deposit_cancelled_sum       numeric not null,
  primary key (player_id, day)
) with (fillfactor = 80);

create table live.refused_deposit_hour ( -- cell
  player_id                   bigint not null,
  hour                        timestamptz not null,
  deposit_rejected_count      int not null,
  deposit_cancelled_count     int not null,
  deposit_rejected_sum        numeric not null,
  deposit_cancelled_sum       numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index refused_deposit_hour_age on live.refused_deposit_hour (hour);

create table live.refused_deposit_brand_day ( -- cell: its own
  brand_id                    int not null,
  day                         date not null,
  source                      smallint not null,
  -- Number of players with a row of that day in refused_deposit_day.
  players                     int not null,
  deposit_rejected_count      bigint not null,
  deposit_cancelled_count     bigint not null,
  deposit_rejected_sum        numeric not null,
  deposit_cancelled_sum       numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- deposit_count and withdraw_count as the operator reports them in payments. The report with the latest timestamp counts; if
-- several have it, the one with the smallest fingerprint.
create table live.payment_report ( -- cell
  player_id    bigint not null,
  name         text not null check (name in ('deposit_count', 'withdraw_count')),
  value        bigint not null,
  at           timestamptz not null,
  fingerprint  bytea not null,
  primary key (player_id, name)
);

-- Rounds of casino games, from the events of two endpoints (src/derive/families/rounds/README.md).

-- One row per round, written when it begins and again with each of its events. The columns that change then are not indexed,
-- so the updates stay on their page.
create table live.round ( -- cell
  player_id      bigint not null,
  -- 52 bits of a hash of vendor_id, game_id and round_id. It locates the row. The ids themselves are compared too.
  round_key      bigint not null,
  -- First and last activity, including those that were rolled back. Without activities, the time of the message.
  first_at       timestamptz not null,
  last_at        timestamptz not null,
  -- last_at of a round that lasts more than 4 hours, otherwise null. Sessions use it to find the end of long rounds.
  long_end_at    timestamptz,
  -- The latest time in the row, if the round is not `usual` and the row contains a time more than 4 hours before or
  -- after first_at; otherwise null.
  far_to         timestamptz,
  -- The first and last time in the row, if they differ from first_at and last_at: times of messages beside activities, of
  -- rollbacks and of conflicts. Events with the same key more than 72 hours from these times belong to another round.
  held_from      timestamptz,
  held_to        timestamptz,
  -- The day of first_at in the brand's time zone.
  day            date not null,
  bet_count      int not null,
  win_count      int not null,
  -- Number of versions that are not in force because another version has different money.
  conflicts      smallint not null,
  -- Number of rollbacks without their activity.
  orphans        smallint not null,
  -- The endpoints that reported the round.
  from_casino    boolean not null,
  from_gameround boolean not null,
  -- False if the row has only rollbacks and conflicts. Sessions ignore such a round.
  played         boolean not null,
  -- True while an activity or a message is in force. The round is then part of the totals.
  counted        boolean not null,
  closed         boolean not null,
  -- True if the round counts without amounts, because its message is in a currency without a known rate.
  unpriced       boolean not null,
  -- True if the round has at most one bet, which is at first_at and equals bet_sum, at most one win, which is at last_at and
  -- equals win_sum, and both are on `day`. The biggest, first and last bet or win are then read from these columns. If
  -- false, they are read from the events.
  usual          boolean not null default false,
  -- Amounts are in the base currency, and include real, bonus and locked money.
  bet_sum        numeric not null,
  win_sum        numeric not null,
  vendor_id      text not null,
  game_id        text not null,
  round_id       text not null,
  -- The events as JSON arrays (src/derive/families/rounds/encode.ts). The column is text because it is only read as a whole,
  -- and jsonb is larger.
  events         text not null,
  primary key (player_id, round_key, first_at)
) with (fillfactor = 80);
create index round_by_time on live.round (player_id, first_at);
create index round_by_long_end on live.round (player_id, long_end_at) where long_end_at is not null;
-- For re-reading the biggest, first and last bet and win, at a cost that does not grow with the player's past
-- (src/derive/totals/reread.ts). The indexed column does not change while a round grows, so the updates stay on their page.
create index round_by_far_end on live.round (player_id, far_to) where far_to is not null;

-- Rounds of all players that a person should look at: those without base amounts, and those that stay open
-- (src/derive/families/rounds/brand-list.ts). Both indexes are partial: they contain only these few rounds, in the order of
-- the lists.
--
-- Their cost, measured with 300,000 rounds that begin with a bet and are closed by a win half a batch later:
--   unpriced     none: the column hardly ever changes, and few rounds have it.
--   open         Each round adds an entry of 40 bytes when it begins. When it ends, the update cannot stay on its page, because `closed` is
--                part of an index. Both together write 120 bytes more log per round (11 %), and take no measurable time. Vacuum removes the
--                entries of closed rounds. Until then, the first reader skips each of them in 2 us and marks it; later readers need 10 ns.
-- If an operator never ends its rounds, each round keeps an entry: 40 GB per billion rounds, a tenth of the table.
create index round_unpriced on live.round (first_at, player_id, round_key) where unpriced;
create index round_open on live.round (first_at, player_id, round_key) where counted and not closed;

-- The round that contains an activity. The key of an activity does not contain its round, so an event that repeats,
-- contradicts or rolls back another one may name another round. Both numbers are 52 bits of a hash.
create table live.casino_activity ( -- cell
  player_id  bigint not null,
  lookup     bigint not null,
  round_key  bigint not null,
  primary key (player_id, lookup, round_key)
);

create table live.casino_total ( -- cell
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
create table live.casino_day ( -- cell
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
create table live.casino_hour ( -- cell
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
create table live.casino_brand_day ( -- cell: its own
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

-- Dates of rounds that were removed with the history (src/derive/totals/floor.ts).
create table live.casino_floor ( -- cell
  player_id     bigint not null,
  vendor_id     text not null,
  game_id       text not null,
  bet_first_at  timestamptz,
  bet_last_at   timestamptz,
  win_first_at  timestamptz,
  win_last_at   timestamptz,
  primary key (player_id, vendor_id, game_id)
);

-- Sessions, balances and custom events of players (src/derive/families/sessions, balances, custom).

-- Game sessions (scope game) and play sessions (scope play; vendor_id and game_id are empty). Sessions of one player and game
-- never overlap, nor do play sessions of one player. A session grows with every round, and the columns that change are not
-- indexed.
create table live.session ( -- cell
  player_id    bigint not null,
  scope        text not null check (scope in ('game', 'play')),
  started_at   timestamptz not null,
  vendor_id    text not null,
  game_id      text not null,
  ended_at     timestamptz not null,
  -- Day of `started_at` in the brand's time zone.
  day          date not null,
  -- Number of rounds that began in the session. 0 if the session is only the end of a round of more than four hours.
  round_count  int not null,
  bet_count    int not null,
  -- In the base currency.
  bet_sum      numeric not null,
  win_sum      numeric not null,
  primary key (player_id, scope, started_at, vendor_id, game_id)
) with (fillfactor = 80);

-- The latest balance per key (real_money, bonus_money, ...) that the operator reported.
create table live.balance ( -- cell
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

-- Events with a name and free data (src/derive/families/named-events): custom events of the operator, and site events, which
-- pages track. They have no id, so the fingerprint is part of the key and identifies repeats. Rows are removed with the
-- history of the brand; only their counts remain.
create table live.custom_event ( -- cell
  player_id    bigint not null,
  -- The notification_type.
  name         text not null,
  at           timestamptz not null,
  fingerprint  bytea not null,
  origin       text not null,
  data         jsonb not null,
  primary key (player_id, name, at, fingerprint)
);
create index custom_event_by_time on live.custom_event (player_id, at, fingerprint);
-- A BRIN index takes a few bytes for thousands of rows, because rows arrive nearly in the order of time. It is
-- sufficient for pruning.
create index custom_event_age on live.custom_event using brin (at) with (autosummarize = on);

create table live.custom_count ( -- cell
  player_id    bigint not null,
  name         text not null,
  event_count  int not null,
  first_at     timestamptz not null,
  last_at      timestamptz not null,
  primary key (player_id, name)
) with (fillfactor = 80);

create table live.site_event ( -- cell
  player_id    bigint not null,
  name         text not null,
  at           timestamptz not null,
  fingerprint  bytea not null,
  event_id     text not null,
  data         jsonb not null,
  primary key (player_id, name, at, fingerprint)
);
create index site_event_by_time on live.site_event (player_id, at, fingerprint);
create index site_event_age on live.site_event using brin (at) with (autosummarize = on);

create table live.site_event_count ( -- cell
  player_id    bigint not null,
  name         text not null,
  event_count  int not null,
  first_at     timestamptz not null,
  last_at      timestamptz not null,
  primary key (player_id, name)
) with (fillfactor = 80);

-- Reports about messages (src/derive/families/message-events/README.md). Texts that a report lacks are empty.
create table live.message_event ( -- cell
  player_id    bigint not null,
  what         text not null,
  at           timestamptz not null,
  fingerprint  bytea not null,
  event_id     text not null,
  channel      text not null,
  provider     text not null,
  message_id   text not null,
  campaign_id  text not null,
  reason       text not null,
  link         text not null,
  primary key (player_id, at, fingerprint)
);
create index message_event_age on live.message_event using brin (at) with (autosummarize = on);

-- The first time of each kind of report about a message. Rows are never removed.
create table live.message_outcome ( -- cell
  player_id        bigint not null,
  message_id       text not null,
  channel          text not null,
  campaign_id      text not null,
  delivered_at     timestamptz,
  shown_at         timestamptz,
  opened_at        timestamptz,
  clicked_at       timestamptz,
  bounced_at       timestamptz,
  complained_at    timestamptz,
  unsubscribed_at  timestamptz,
  replied_at       timestamptz,
  reached_at       timestamptz,
  not_reached_at   timestamptz,
  primary key (player_id, message_id)
) with (fillfactor = 80);
create index message_outcome_campaign on live.message_outcome (campaign_id, message_id) where campaign_id <> '';

-- Sports bets (src/derive/families/sports/README.md).

-- The activities of an operator by activity_id and type. A row rarely changes, and is read together with its bet.
create table live.sports_activity ( -- cell
  player_id     bigint not null,
  -- 16 bytes: hash of type and activity_id.
  activity_key  bytea not null,
  -- 16 bytes: the hash of the activity_id of its Bet.
  bet_key       bytea not null,
  activity_id   text not null,
  type          text not null check (type in ('Bet', 'Settlement')),
  -- Approved and not rolled back. The activity has an effect only if its Bet is also in force (live.bet.counted).
  in_force      boolean not null,
  -- The time of the version in force.
  at            timestamptz not null,
  day           date not null,
  base_amount   numeric not null,
  -- Versions of each status, the one in force first (ActivityVersion in src/derive/families/sports/activity.ts).
  approved      jsonb not null,
  rollbacks     jsonb not null,
  primary key (player_id, activity_key)
);
create index sports_activity_of_bet on live.sports_activity (player_id, bet_key);
-- Same purpose as round_by_far_end.
create index sports_settlement_by_time on live.sports_activity (player_id, at) where type = 'Settlement';

-- The state of a bet, computed from its activities. A settlement rewrites the row; the columns that change are not indexed.
create table live.bet ( -- cell
  player_id         bigint not null,
  bet_key           bytea not null,
  bet_id            text not null,
  state             text not null check (state in ('open', 'settled', 'cashed_out', 'rolled_back', 'orphan')),
  -- True while the Bet is in force. Stake and settlements are then part of the totals.
  counted           boolean not null,
  -- Number of settlements and rollbacks without their counterpart.
  orphans           int not null,
  at                timestamptz not null,
  day               date not null,
  -- This column and those up to the stake are null while the Bet is missing.
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
  -- The sport that most of its selections name (src/derive/families/sports/sport.ts); '' if none is known.
  sports_name       text not null,
  primary key (player_id, bet_key)
) with (fillfactor = 80);
create index bet_by_time on live.bet (player_id, at);

-- Totals by sport, for the favorite sport. The casino's totals are by game in the same way.
create table live.sports_total ( -- cell
  player_id        bigint not null,
  sports_name      text not null,
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
  win_last_at      timestamptz,
  primary key (player_id, sports_name)
) with (fillfactor = 80);
create table live.sports_day ( -- cell
  player_id        bigint not null,
  day              date not null,
  sports_name      text not null,
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
  primary key (player_id, day, sports_name)
) with (fillfactor = 80);
create table live.sports_hour ( -- cell
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
create table live.sports_brand_day ( -- cell: its own
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

-- Totals by league and team, for the favorites. A row has either a league or a team; the other column is empty
-- (src/derive/families/sports/interests.ts).
create table live.sports_interest_total ( -- cell
  player_id  bigint not null,
  league     text not null,
  team       text not null,
  bet_count  int not null,
  stake_sum  numeric not null,
  primary key (player_id, league, team)
) with (fillfactor = 80);
create table live.sports_interest_day ( -- cell
  player_id  bigint not null,
  day        date not null,
  league     text not null,
  team       text not null,
  bet_count  int not null,
  stake_sum  numeric not null,
  primary key (player_id, day, league, team)
) with (fillfactor = 80);
create table live.sports_interest_hour ( -- cell
  player_id  bigint not null,
  hour       timestamptz not null,
  bet_count  int not null,
  stake_sum  numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index sports_interest_hour_age on live.sports_interest_hour (hour);
create table live.sports_interest_brand_day ( -- cell: its own
  brand_id   int not null,
  day        date not null,
  source     smallint not null,
  players    int not null,
  bet_count  bigint not null,
  stake_sum  numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Lottery (src/derive/families/lottery/README.md): purchases of version 1, tickets of version 2.

-- One row per transaction of version 1. The tickets with their lines and draws are those of the version that is shown.
create table live.lottery_purchase ( -- cell
  player_id       bigint not null,
  -- 16 bytes: hash of transaction_id.
  purchase_key    bytea not null,
  transaction_id  text not null,
  -- The purchase is part of the totals while it is 'bought'.
  state           text not null check (state in ('unapproved', 'bought', 'rejected')),
  at              timestamptz not null,
  day             date not null,
  -- The lottery of the first ticket, which is the name of a product.
  lottery_id      text not null,
  base_amount     numeric not null,
  conflicts       int not null,
  -- The version that is shown comes first (PurchaseVersion in src/derive/families/lottery/purchase.ts).
  versions        jsonb not null,
  primary key (player_id, purchase_key)
);
create index lottery_purchase_by_time on live.lottery_purchase (player_id, at);

-- One row per (ticket_id, lottery_id, draw_id) of version 2. A settlement rewrites the row; the columns that change are not
-- indexed.
create table live.lottery_ticket ( -- cell
  player_id           bigint not null,
  -- 16 bytes: hash of the three ids.
  ticket_key          bytea not null,
  ticket_id           text not null,
  lottery_id          text not null,
  draw_id             text not null,
  -- The ticket is part of the totals unless it is an 'orphan'.
  state               text not null check (state in ('open', 'partly_settled', 'settled', 'orphan')),
  -- Number of settlements that would be in force if their Bet were known.
  orphans             int not null,
  at                  timestamptz not null,
  day                 date not null,
  -- This column and the rest of the stake are null while the Bet is missing.
  amount              numeric,
  currency            text,
  exchange_rate       numeric,
  base_amount         numeric,
  base_discount       numeric not null,
  base_payout         numeric not null,
  line_count          int not null,
  settled_line_count  int not null,
  winning_line_count  int not null,
  settled_at          timestamptz,
  conflicts           int not null,
  -- The wins that the totals count, one element each. Extremes are re-read from them.
  win_at              timestamptz[] not null,
  win_day             date[] not null,
  win_base_amount     numeric[] not null,
  -- Versions of the Bet, the one in force first (TicketBet in ticket.ts); settlements, the latest first (settlements.ts).
  bets                jsonb not null,
  settlements         jsonb not null,
  primary key (player_id, ticket_key)
) with (fillfactor = 80);
create index lottery_ticket_by_time on live.lottery_ticket (player_id, at);
-- Same purpose as round_by_far_end, by the latest win of a ticket. A settlement without a win does not change it.
create index lottery_ticket_by_win on live.lottery_ticket (player_id, (win_at[1])) where cardinality(win_at) > 0;
create index lottery_ticket_by_spread_wins on live.lottery_ticket (player_id, (win_at[1]))
  where cardinality(win_at) > 1 and win_at[1] - win_at[cardinality(win_at)] > interval '4 hours';

create table live.lottery_total ( -- cell
  player_id           bigint not null,
  lottery_id          text not null,
  bet_count           int not null,
  win_count           int not null,
  ticket_count        int not null,
  line_count          int not null,
  winning_line_count  int not null,
  real_bet_sum        numeric not null,
  bonus_bet_sum       numeric not null,
  locked_bet_sum      numeric not null,
  real_win_sum        numeric not null,
  bonus_win_sum       numeric not null,
  locked_win_sum      numeric not null,
  discount_sum        numeric not null,
  bet_biggest         numeric,
  win_biggest         numeric,
  bet_first_at        timestamptz,
  bet_last_at         timestamptz,
  win_first_at        timestamptz,
  win_last_at         timestamptz,
  primary key (player_id, lottery_id)
) with (fillfactor = 80);
create table live.lottery_day ( -- cell
  player_id           bigint not null,
  day                 date not null,
  lottery_id          text not null,
  bet_count           int not null,
  win_count           int not null,
  ticket_count        int not null,
  line_count          int not null,
  winning_line_count  int not null,
  real_bet_sum        numeric not null,
  bonus_bet_sum       numeric not null,
  locked_bet_sum      numeric not null,
  real_win_sum        numeric not null,
  bonus_win_sum       numeric not null,
  locked_win_sum      numeric not null,
  discount_sum        numeric not null,
  bet_biggest         numeric,
  win_biggest         numeric,
  primary key (player_id, day, lottery_id)
) with (fillfactor = 80);
create table live.lottery_hour ( -- cell
  player_id           bigint not null,
  hour                timestamptz not null,
  bet_count           int not null,
  win_count           int not null,
  ticket_count        int not null,
  line_count          int not null,
  winning_line_count  int not null,
  real_bet_sum        numeric not null,
  bonus_bet_sum       numeric not null,
  locked_bet_sum      numeric not null,
  real_win_sum        numeric not null,
  bonus_win_sum       numeric not null,
  locked_win_sum      numeric not null,
  discount_sum        numeric not null,
  bet_biggest         numeric,
  win_biggest         numeric,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index lottery_hour_age on live.lottery_hour (hour);
create table live.lottery_brand_day ( -- cell: its own
  brand_id            int not null,
  day                 date not null,
  source              smallint not null,
  players             int not null,
  bet_count           bigint not null,
  win_count           bigint not null,
  ticket_count        bigint not null,
  line_count          bigint not null,
  winning_line_count  bigint not null,
  real_bet_sum        numeric not null,
  bonus_bet_sum       numeric not null,
  locked_bet_sum      numeric not null,
  real_win_sum        numeric not null,
  bonus_win_sum       numeric not null,
  locked_win_sum      numeric not null,
  discount_sum        numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Bonuses (src/derive/families/bonuses/README.md).

-- One row per bonus of a player, rewritten with each new status. The columns that change are not indexed.
create table live.bonus ( -- cell
  player_id               bigint not null,
  user_bonus_id           text not null,
  bonus_id                text not null,
  bonus_code              text,
  product                 text not null,
  type                    text not null,
  status                  text not null,
  -- The time at which the status was reached.
  status_at               timestamptz not null,
  status_day              date not null,
  -- False if the bonus is Reversed. It is then not part of the totals.
  granted                 boolean not null,
  -- The time at which it was granted.
  at                      timestamptz not null,
  day                     date not null,
  -- The amount in the latest event.
  amount                  numeric not null,
  currency                text not null,
  exchange_rate           numeric not null,
  base_amount             numeric not null,
  base_turned_real        numeric not null,
  turned_real_at          timestamptz,
  turned_real_day         date,
  base_locked_amount      numeric,
  base_required_wagering  numeric,
  -- The expiry that `meta` contains (src/derive/families/bonuses/expiry.ts).
  expires_at              timestamptz,
  crm_references          jsonb,
  origin                  text not null,
  conflicts               int not null,
  -- The versions of its events, in canonical order (keptEvents, BonusEvent in src/derive/families/bonuses/bonus.ts).
  events                  jsonb not null,
  primary key (player_id, user_bonus_id)
) with (fillfactor = 80);
create index bonus_by_time on live.bonus (player_id, at);
create index bonus_active on live.bonus (player_id) where status in ('Created', 'Ongoing');

create table live.bonus_total ( -- cell
  player_id          bigint not null,
  product            text not null,
  granted_count      int not null,
  turned_real_count  int not null,
  forfeited_count    int not null,
  expired_count      int not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  granted_first_at   timestamptz,
  granted_last_at    timestamptz,
  primary key (player_id, product)
) with (fillfactor = 80);
create table live.bonus_day ( -- cell
  player_id          bigint not null,
  day                date not null,
  product            text not null,
  granted_count      int not null,
  turned_real_count  int not null,
  forfeited_count    int not null,
  expired_count      int not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  primary key (player_id, day, product)
) with (fillfactor = 80);
create table live.bonus_hour ( -- cell
  player_id          bigint not null,
  hour               timestamptz not null,
  granted_count      int not null,
  turned_real_count  int not null,
  forfeited_count    int not null,
  expired_count      int not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index bonus_hour_age on live.bonus_hour (hour);
create table live.bonus_brand_day ( -- cell: its own
  brand_id           int not null,
  day                date not null,
  source             smallint not null,
  players            int not null,
  granted_count      bigint not null,
  turned_real_count  bigint not null,
  forfeited_count    bigint not null,
  expired_count      bigint not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Carts (src/derive/families/carts/README.md).

-- One row per cart_id, type, status and timestamp. Operators re-use cart ids, so only these four together identify a cart.
create table live.cart ( -- cell
  player_id        bigint not null,
  -- 16 bytes: hash of the four.
  cart_key         bytea not null,
  cart_id          text not null,
  type             text not null,
  status           text not null,
  -- True for a successful checkout. The cart is then part of the totals.
  counted          boolean not null,
  at               timestamptz not null,
  day              date not null,
  amount           numeric not null,
  currency         text not null,
  exchange_rate    numeric not null,
  base_amount      numeric not null,
  discount_amount  numeric not null,
  base_discount    numeric not null,
  bonus_code       text,
  device_type      text,
  origin           text,
  item_count       int not null,
  items            jsonb not null,
  payments         jsonb not null,
  meta             jsonb,
  conflicts        int not null,
  -- The amounts of its versions, the one in force first (CartVersion in src/derive/families/carts/cart.ts).
  versions         jsonb not null,
  primary key (player_id, cart_key)
);
create index cart_by_time on live.cart (player_id, at);

create table live.cart_total ( -- cell
  player_id      bigint primary key,
  cart_count     int not null,
  item_count     int not null,
  cart_sum       numeric not null,
  discount_sum   numeric not null,
  cart_first_at  timestamptz,
  cart_last_at   timestamptz
) with (fillfactor = 80);
create table live.cart_day ( -- cell
  player_id     bigint not null,
  day           date not null,
  cart_count    int not null,
  item_count    int not null,
  cart_sum      numeric not null,
  discount_sum  numeric not null,
  primary key (player_id, day)
) with (fillfactor = 80);
create table live.cart_hour ( -- cell
  player_id     bigint not null,
  hour          timestamptz not null,
  cart_count    int not null,
  item_count    int not null,
  cart_sum      numeric not null,
  discount_sum  numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index cart_hour_age on live.cart_hour (hour);
create table live.cart_brand_day ( -- cell: its own
  brand_id      int not null,
  day           date not null,
  source        smallint not null,
  players       int not null,
  cart_count    bigint not null,
  item_count    bigint not null,
  cart_sum      numeric not null,
  discount_sum  numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Funds that the platform credited. They arrive through the ledger (src/derive/families/funds/README.md).

create table live.funds ( -- cell
  player_id      bigint not null,
  intent_id      text not null,
  -- The highest revision counts.
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

create table live.funds_total ( -- cell
  player_id                bigint primary key,
  funds_credited_count     int not null,
  funds_credited_sum       numeric not null,
  funds_credited_first_at  timestamptz,
  funds_credited_last_at   timestamptz
) with (fillfactor = 80);
create table live.funds_day ( -- cell
  player_id             bigint not null,
  day                   date not null,
  funds_credited_count  int not null,
  funds_credited_sum    numeric not null,
  primary key (player_id, day)
) with (fillfactor = 80);
create table live.funds_hour ( -- cell
  player_id             bigint not null,
  hour                  timestamptz not null,
  funds_credited_count  int not null,
  funds_credited_sum    numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index funds_hour_age on live.funds_hour (hour);
create table live.funds_brand_day ( -- cell: its own
  brand_id              int not null,
  day                   date not null,
  source                smallint not null,
  players               int not null,
  funds_credited_count  bigint not null,
  funds_credited_sum    numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Catalogs: the games, vendors and draws that the events of a brand contain (src/derive/families/games, lottery).

-- Games and vendors of a brand with their latest names (docs/decisions/0320). They belong to no player, so they are not in
-- schema live. A rebuild writes to the same rows, and changes none if it applies the same events.
create table game ( -- cell: its own
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

create table vendor ( -- cell: its own
  brand_id   int not null,
  vendor_id  text not null,
  name       text,
  name_day   date,
  primary key (brand_id, vendor_id)
);

-- The draws that the events of a brand contain (docs/decisions/0330). They belong to no player, so they are not in schema
-- live. A rebuild writes to the same rows, and changes none if it applies the same events. <name>_at is the latest UTC minute
-- of an event with that value.
create table draw ( -- cell: its own
  brand_id         int not null,
  -- Version of the interface. In version 1, a lottery is identified by the name of its product, and a draw by its time.
  version          smallint not null check (version in (1, 2)),
  lottery_id       text not null,
  draw_id          text not null,
  lottery_name     text,
  lottery_name_at  timestamptz,
  lottery_type     text,
  lottery_type_at  timestamptz,
  draw_date        timestamptz not null,
  draw_date_at     timestamptz not null,
  -- JSON: [numbers, special numbers]. Null until a settlement contains them.
  numbers          text,
  numbers_at       timestamptz,
  primary key (brand_id, version, lottery_id, draw_id)
);
create index draw_by_date on draw (brand_id, draw_date, version, lottery_id, draw_id);

-- The following tables record how events arrived. They are not derived state: a rebuild neither reads nor writes them.

-- One narrow row per event of the ledger: player, kind, time and verdict. Partitioned by the UTC day of receipt.
create table journal ( -- cell
  received_at  timestamptz not null,
  brand_id     int not null,
  -- Null, like `at`, if the event could not be read.
  player_id    bigint,
  at           timestamptz,
  -- Numbers of src/ledger/kind-codes.ts and src/derive/journal/codes.ts.
  kind         smallint not null,
  verdict      smallint not null,
  -- Bit n is flag n of flagMeanings in @croupier/contracts.
  flags        int not null,
  writer_id    int not null,
  seq          bigint not null,
  index        int not null
) partition by range (received_at);
create index journal_timeline on journal (player_id, at desc);
create index journal_feed on journal (brand_id, received_at desc);
-- The few rows that people look for: those whose verdict is neither applied (1) nor repeat (2), or that have a flag other than
-- zone-less (bit 1).
create index journal_noted on journal (brand_id, received_at desc) where verdict > 2 or (flags & ~2) <> 0;
-- For the list of one verdict, because a brand may have thousands of flagged events for each conflict. It contains the
-- kind, so that a list of one kind reads no rows of other kinds.
create index journal_verdict on journal (brand_id, verdict, received_at desc, kind) where verdict > 2;

-- Counts per brand, kind and minute of receipt. `source` is the lowest bucket that the writing worker owned. Each bucket has
-- one owner, so two workers never wait for each other on a row.
create table feed_minute ( -- cell: its own
  brand_id          int not null,
  kind              smallint not null,
  minute            timestamptz not null,
  source            smallint not null,
  events            int not null,
  repeats           int not null,
  conflicts         int not null,
  orphans           int not null,
  -- Number of orphans whose counterpart arrived later. The difference is the number of remaining orphans.
  orphans_resolved  int not null,
  unreadable        int not null,
  flagged           int not null,
  zoneless          int not null,
  -- Number of payments without a payment_id.
  without_id        int not null,
  last_received_at  timestamptz not null,
  -- Histogram of the publish delay of first events; bounds in src/derive/feed/delay.ts.
  delays            int[] not null,
  -- Zone-less events by the whole hour at which they arrived: element 1 is -24 h, element 25 is 0, element 49 is +24 h.
  zoneless_hours    int[] not null,
  primary key (brand_id, kind, minute, source)
);
create index feed_minute_age on feed_minute (minute);

-- Events that cannot be applied, each with its reason and age. They are retried with growing delays. Other events of the same
-- player are applied.
create table parked_event ( -- cell
  writer_id     int not null,
  seq           bigint not null,
  index         int not null,
  brand_id      int not null,
  -- The unsigned 64-bit number of ledger events; beyond int8.
  player_hash   numeric(20) not null,
  bucket        smallint not null,
  kind          smallint not null,
  received_at   timestamptz not null,
  -- unreadable: the event has nothing that can be read. failing: it can be read, but applying it causes an error. too_old: it
  -- is older than its brand's history, and waits for a person.
  cause         text not null check (cause in ('unreadable', 'failing', 'too_old')),
  reason        text not null,
  -- Null for an unreadable event.
  user_id       text,
  parked_at     timestamptz not null,
  attempts      int not null default 0,
  -- Null: no retry until a person imports it.
  retry_at      timestamptz,
  -- The event's own timestamp. Null if it cannot be read.
  at            timestamptz,
  -- The ledger day that is being sealed without this too-old event. From then on, the event cannot be imported.
  lapses_with   date,
  primary key (writer_id, seq, index)
);
create index parked_event_due on parked_event (bucket, retry_at);
create index parked_event_of on parked_event (brand_id, player_hash, cause, received_at);
create index parked_event_too_old on parked_event (brand_id, received_at desc, writer_id desc, seq desc, index desc)
  where cause = 'too_old';
create index parked_event_lapsed on parked_event (lapses_with) where lapses_with is not null;

-- The history: old events, and the facts derived from them (src/derive/history/README.md).

-- The oldest time in an event that arrived more than two days after that time, by player and UTC day of receipt. While the
-- ledger keeps that day, facts from that time on are not removed (src/derive/history/prune.ts).
create table late_event ( -- cell
  player_id  bigint not null,
  day        date not null,
  oldest_at  timestamptz not null,
  primary key (player_id, day)
);
create index late_event_day on late_event (day);

-- Ledger days whose effect is in the baseline, or is being added to it.
create table sealed_day ( -- cell: its own
  day         date primary key,
  state       text not null check (state in ('sealing', 'held', 'sealed', 'dropped')),
  -- Why the day is held.
  reason      text,
  events      bigint not null default 0,
  since       timestamptz not null,
  dropped_at  timestamptz
);

-- Per brand: facts with limited retention that are older than this are removed, or will be soon.
create table pruned_fact ( -- cell: its own
  brand_id   int primary key,
  pruned_to  timestamptz not null,
  -- The last player that was processed. An interrupted pruning continues after it. Null if all were processed.
  done_to    bigint,
  -- The latest transaction that removed facts. With it, a batch that uses such facts detects whether some were removed since
  -- it began.
  step       xid8
);

-- Rebuilds (src/derive/rebuild).

-- Comparisons of the live state with a state that was recomputed from the ledger.
create table rebuild ( -- cell: its own
  rebuild_id        bigint generated always as identity primary key,
  brand_id          int,
  player_id         bigint,
  swap              boolean not null,
  requested_at      timestamptz not null default now(),
  -- Null while it waits for a worker.
  started_at        timestamptz,
  finished_at       timestamptz,
  -- The current phase.
  phase             text not null default 'waiting'
    check (phase in ('waiting', 'copying', 'recomputing', 'comparing', 'over')),
  buckets_done      int not null default 0,
  buckets_of        int not null default 0,
  -- May be set by any process.
  cancel_requested  boolean not null default false,
  -- Null while it runs. Afterwards 'done', 'cancelled', 'interrupted' (its process was killed) or the reason of a failure.
  outcome           text,
  events            bigint not null default 0,
  players           bigint not null default 0,
  differences       bigint not null default 0,
  swapped           bigint not null default 0,
  longest_pause_ms  int not null default 0,
  -- Events that could not be applied again, and days whose roll-up is not the sum of its players. Each list contains only
  -- the first of them.
  failures            jsonb not null default '[]',
  rollup_differences  jsonb not null default '[]'
);
create index rebuild_open on rebuild (rebuild_id) where outcome is null;
create table rebuild_difference ( -- cell
  rebuild_id    bigint not null references rebuild on delete cascade,
  player_id     bigint not null,
  -- The tables whose rows differ.
  tables        text[] not null,
  live_hash     text,
  rebuilt_hash  text,
  swapped       boolean not null,
  -- By table, the rows that only one side has, for the first players that differ: {"payment": {"live": [...], "rebuilt":
  -- [...]}}
  rows          jsonb,
  primary key (rebuild_id, player_id)
);
