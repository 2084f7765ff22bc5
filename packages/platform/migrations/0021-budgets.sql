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

-- What bonuses may cost (src/actions/budgets/README.md).
create table bonus_budget (
  budget_id      int generated always as identity primary key,
  brand_id       int not null,
  name           text not null,
  -- campaign: one pot for all intents with its activity_id. player: a limit for each player, of one activity_id or of all.
  scope          text not null check (scope in ('campaign', 'player')),
  activity_id    text,
  -- Of a player's limit: the last so many times 24 hours. Null: lifetime.
  window_days    int check (window_days between 1 and 366),
  -- In the base currency of the brand.
  limit_amount   numeric check (limit_amount >= 0),
  limit_count    int check (limit_count >= 0),
  -- What a bonus without an amount costs, by bonus_code; {"WELCOME100": "100"}. Others only count.
  bonus_values   jsonb not null default '{}',
  -- Percent of a campaign's limit from which on a person is told.
  alarm_percent  int not null default 90 check (alarm_percent between 1 and 100),
  created_at     timestamptz not null,
  created_by     text not null,
  -- Closed budgets limit nothing any more; they stay for what was spent.
  closed_at      timestamptz,
  check (limit_amount is not null or limit_count is not null),
  check ((scope = 'player' or activity_id is not null) and (scope = 'player' or window_days is null))
);
create index bonus_budget_open on bonus_budget (brand_id) where closed_at is null;

-- How much of a budget is used: the row whose lock makes reservations one after the other. holder: the player, or 0 for the
-- one pot of a campaign.
create table bonus_budget_use (
  budget_id        int not null,
  holder           bigint not null,
  reserved_amount  numeric not null default 0,
  reserved_count   int not null default 0,
  spent_amount     numeric not null default 0,
  spent_count      int not null default 0,
  primary key (budget_id, holder)
) with (fillfactor = 50);

-- What one intent takes of one budget.
create table bonus_reservation (
  intent_id      uuid not null,
  budget_id      int not null,
  holder         bigint not null,
  player_id      bigint not null,
  state          text not null check (state in ('reserved', 'spent', 'released')),
  -- In the base currency, at the rate below; null where it needed none.
  amount         numeric not null,
  exchange_rate  numeric,
  at             timestamptz not null,
  primary key (intent_id, budget_id)
) with (fillfactor = 80);
create index bonus_reservation_window on bonus_reservation (budget_id, holder, at) where state <> 'released';
create index bonus_reservation_player on bonus_reservation (player_id);

-- Bonuses of players that intents are known to have caused (src/actions/resolution/README.md).
create table bonus_intent_grant (
  player_id      bigint not null,
  user_bonus_id  text not null,
  intent_id      uuid not null,
  -- reference: the operator said so. match: it proves an intent that was in doubt. explained: it fits an intent that is credited anyway.
  how            text not null check (how in ('reference', 'match', 'explained')),
  since          timestamptz not null,
  primary key (player_id, user_bonus_id)
);
create index bonus_intent_grant_intent on bonus_intent_grant (intent_id);
create index bonus_intent_matched on bonus_intent (player_id) where resolved_by = 'match';

-- (player, bonus_code) pairs whose intents and bonuses are to be looked at. Rows are only added and taken away, so that those who
-- add them never wait for each other; several for one pair are done as one.
create table bonus_resolution_request (
  request_id    bigint generated always as identity primary key,
  brand_id      int not null,
  player_id     bigint not null,
  bonus_code    text not null,
  requested_at  timestamptz not null default now(),
  due_at        timestamptz not null default now(),
  -- Tries that failed, and why the last one did.
  tries         int not null default 0,
  last_error    text
);
create index bonus_resolution_request_due on bonus_resolution_request (due_at);
create index bonus_resolution_request_of on bonus_resolution_request (player_id, bonus_code);

-- Credited funds on their way into the ledger (src/actions/funds/README.md). What was told of an intent last: the row of the intent
-- itself marks that there is something to tell, so no transition can forget it.
alter table bonus_intent add column funds_told boolean not null default false;
alter table bonus_intent add column funds_revision int not null default 0;
create index bonus_intent_untold on bonus_intent (intent_id) where kind = 'funds' and (state = 'credited') <> funds_told;

create table funds_publication (
  intent_id      uuid not null,
  revision       int not null,
  brand_id       int not null,
  player_id      bigint not null,
  status         text not null check (status in ('Approved', 'Rollback')),
  at             timestamptz not null,
  amount         numeric not null,
  currency       text not null,
  -- Null: none is known yet, so it waits.
  exchange_rate  numeric,
  bonus_code     text not null,
  noted_at       timestamptz not null,
  due_at         timestamptz not null default now(),
  primary key (intent_id, revision)
);
create index funds_publication_due on funds_publication (due_at);
create index funds_publication_brand on funds_publication (brand_id, noted_at);
