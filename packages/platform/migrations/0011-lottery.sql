-- Lottery (src/derive/lottery/README.md): purchases of version 1, tickets of version 2, the draw calendar.

-- One row per transaction of version 1. Its tickets, with their lines and draws, stand in the version by which it is shown.
create table live.lottery_purchase (
  player_id       bigint not null,
  -- 16 bytes: hash of transaction_id.
  purchase_key    bytea not null,
  transaction_id  text not null,
  -- Part of the totals while it is 'bought'.
  state           text not null check (state in ('unapproved', 'bought', 'rejected')),
  at              timestamptz not null,
  day             date not null,
  -- Of its first ticket: the name of a product.
  lottery_id      text not null,
  base_amount     numeric not null,
  conflicts       int not null,
  -- The one by which it is shown first (PurchaseVersion in src/derive/lottery/purchase.ts).
  versions        jsonb not null,
  primary key (player_id, purchase_key)
);
create index lottery_purchase_by_time on live.lottery_purchase (player_id, at);

-- One row per (ticket_id, lottery_id, draw_id) of version 2. A settlement rewrites it; none of those columns is indexed.
create table live.lottery_ticket (
  player_id           bigint not null,
  -- 16 bytes: hash of the three ids.
  ticket_key          bytea not null,
  ticket_id           text not null,
  lottery_id          text not null,
  draw_id             text not null,
  -- Part of the totals unless it is an 'orphan'.
  state               text not null check (state in ('open', 'partly_settled', 'settled', 'orphan')),
  -- Settlements that would stand, if their Bet were there.
  orphans             int not null,
  at                  timestamptz not null,
  day                 date not null,
  -- Null, like the rest of the stake, while the Bet is missing.
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
  -- The wins that totals count, an element each: what extremes are read from again.
  win_at              timestamptz[] not null,
  win_day             date[] not null,
  win_base_amount     numeric[] not null,
  -- Versions of the Bet, the one that stands first (TicketBet in ticket.ts); settlements, the latest first (settlements.ts).
  bets                jsonb not null,
  settlements         jsonb not null,
  primary key (player_id, ticket_key)
) with (fillfactor = 80);
create index lottery_ticket_by_time on live.lottery_ticket (player_id, at);

create table live.lottery_total (
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
create table live.lottery_day (
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
create table live.lottery_hour (
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
create table live.lottery_brand_day (
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

-- The draws of which a brand's events tell (docs/decisions/0330). Not of a player, so not of schema live: a rebuild adds to the
-- same rows, and changes none that has heard the same events. <name>_at is the latest UTC minute in which one said it.
create table draw (
  brand_id         int not null,
  -- Of the interface: 1 knows a lottery by the name of its product and a draw by its time.
  version          smallint not null check (version in (1, 2)),
  lottery_id       text not null,
  draw_id          text not null,
  lottery_name     text,
  lottery_name_at  timestamptz,
  lottery_type     text,
  lottery_type_at  timestamptz,
  draw_date        timestamptz not null,
  draw_date_at     timestamptz not null,
  -- JSON: [numbers, special numbers]; null until a settlement tells them.
  numbers          text,
  numbers_at       timestamptz,
  primary key (brand_id, version, lottery_id, draw_id)
);
create index draw_by_date on draw (brand_id, draw_date, version, lottery_id, draw_id);
