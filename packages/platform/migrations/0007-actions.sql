-- Bonus intents: what shall be credited, what was tried, what came of it (src/actions/intents/README.md).

-- One row per intent, for life. The columns from `state` to `due_for` are the machine's position
-- (src/actions/intents/machine.ts) and written only by it; `claim` is who works on the row.
create table bonus_intent ( -- cell
  -- Also the Idempotency-Key and the reference of all its calls: unique over installations and restored databases, hence no number.
  -- Its low 6 bits are the player's bucket (src/actions/intents/intent-id.ts).
  intent_id         uuid primary key,
  brand_id          int not null,
  player_id         bigint not null,
  -- 'bonus': POST /bonus/credit. 'funds': POST /bonus/credit/funds.
  kind              text not null check (kind in ('bonus', 'funds')),
  bonus_code        text not null,
  amount            numeric,
  currency          text,
  -- Values for the fields that the brand maps (setting bonus_extra_fields).
  extra             jsonb not null default '{}',
  -- The references of docs/reference/decisions.md 6; activity_id is the campaign.
  activity_id       text,
  action_id         text,
  action_group_id   text,
  trigger_hash      text,
  note              text,
  -- Key of the caller's request and a digest of what it asked: a repeated request makes no second intent.
  request_key       text,
  request_digest    text,
  offered           boolean not null,
  expires_at        timestamptz,
  created_at        timestamptz not null,
  created_by        text not null,

  state             text not null check (state in ('offered', 'pending', 'retry', 'unknown', 'needs_person', 'credited', 'rejected')),
  reason            text,
  -- What decided an end, or null.
  resolved_by       text,
  state_since       timestamptz not null,
  claimed_at        timestamptz,
  attempts          int not null default 0,
  open_attempt      int,
  -- Numbers of the attempts of which nobody knows whether they credited.
  doubts            int[] not null default '{}',
  -- Calls in a row that did nothing, or repeats of an unknown one; and since when the intent waits for its credit.
  tries             int not null default 0,
  waits_since       timestamptz,
  first_attempt_at  timestamptz,
  last_attempt_at   timestamptz,
  due_at            timestamptz,
  due_for           text check (due_for in ('call', 'answer', 'expiry', 'deadline')),

  -- Credited funds on their way into the ledger (src/actions/funds/README.md): what was told of the intent last. The row itself
  -- marks that there is something to tell, so no transition can forget it.
  funds_told        boolean not null default false,
  funds_revision    int not null default 0,

  claim             bigint,
  check ((amount is null) = (currency is null)),
  check ((kind = 'funds') = (amount is not null)),
  check ((due_at is null) = (due_for is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create unique index bonus_intent_request on bonus_intent (player_id, request_key) where request_key is not null;
-- Calls are claimed per operator and endpoint; what falls due without a call, over all brands.
create index bonus_intent_calls on bonus_intent (brand_id, kind, due_at) where due_for = 'call';
create index bonus_intent_times on bonus_intent (due_at) where due_for <> 'call';
create index bonus_intent_player on bonus_intent (player_id, created_at, intent_id);
create index bonus_intent_brand on bonus_intent (brand_id, created_at, intent_id);
-- What is not at its end: few, and asked for by lists, alarms, transitions and the resolution by events.
create index bonus_intent_waiting on bonus_intent (brand_id, state, state_since) where state not in ('credited', 'rejected');
create index bonus_intent_waiting_player on bonus_intent (player_id) where state not in ('credited', 'rejected');
-- Lists by what few rows have: without these a page of them reads all of the brand (src/actions/intents/listing.ts).
create index bonus_intent_activity on bonus_intent (brand_id, activity_id, created_at, intent_id) where activity_id is not null;
create index bonus_intent_code on bonus_intent (brand_id, bonus_code, created_at, intent_id);
create index bonus_intent_untold on bonus_intent (intent_id) where kind = 'funds' and (state = 'credited') <> funds_told;
create index bonus_intent_matched on bonus_intent (player_id) where resolved_by = 'match';


-- Every call that was begun, written before its first byte left.
create table bonus_attempt ( -- cell
  intent_id       uuid not null,
  attempt_no      int not null,
  player_id       bigint not null,
  -- The decision of the gate that allowed it.
  decision_id     bigint,
  claim           bigint not null,
  process         text not null,
  started_at      timestamptz not null,
  -- {method, path, headers, body}, without credentials.
  request         jsonb not null,
  -- Null while open. 'lost': its worker never said what came. 'unsent': found out in time that it must not be sent.
  outcome         text check (outcome in ('credited', 'rejected', 'unknown', 'retry', 'lost', 'unsent')),
  reason          text,
  detail          text,
  took_ms         int,
  ended_at        timestamptz,
  -- The answer came after the claim had run out.
  late            boolean not null default false,
  answer_status   int,
  answer_body     text,
  answer_cut      boolean not null default false,
  primary key (intent_id, attempt_no)
);

-- What moved an intent, in the order in which it happened.
create table bonus_intent_change ( -- cell
  number      bigint generated always as identity,
  change_id   bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  intent_id   uuid not null,
  player_id   bigint not null,
  at          timestamptz not null,
  event       text not null,
  state       text not null,
  reason      text,
  -- Who, where a person did it; with a note.
  actor       text,
  note        text,
  -- What proved it: the bonus event of a resolution.
  proof       jsonb
);
create index bonus_intent_change_intent on bonus_intent_change (intent_id, change_id);

-- What bonuses may cost (src/actions/budgets/README.md).
create table bonus_budget ( -- control
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
create table bonus_budget_use ( -- cell: its own
  budget_id        int not null,
  holder           bigint not null,
  reserved_amount  numeric not null default 0,
  reserved_count   int not null default 0,
  spent_amount     numeric not null default 0,
  spent_count      int not null default 0,
  primary key (budget_id, holder)
) with (fillfactor = 50);

-- What one intent takes of one budget.
create table bonus_reservation ( -- cell
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
create table bonus_intent_grant ( -- cell
  player_id      bigint not null,
  user_bonus_id  text not null,
  intent_id      uuid not null,
  -- reference: the operator said so. match: it proves an intent that was in doubt. explained: it fits an intent that is credited anyway.
  how            text not null check (how in ('reference', 'match', 'explained')),
  since          timestamptz not null,
  primary key (player_id, user_bonus_id)
);
create index bonus_intent_grant_intent on bonus_intent_grant (intent_id);

-- (player, bonus_code) pairs whose intents and bonuses are to be looked at. Rows are only added and taken away, so that those who
-- add them never wait for each other; several for one pair are done as one.
create table bonus_resolution_request ( -- cell
  number        bigint generated always as identity,
  request_id    bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
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
-- Looks that wait, the oldest first; and those that failed (src/actions/resolution/listing.ts).
create index bonus_resolution_request_waiting on bonus_resolution_request (brand_id, requested_at);
create index bonus_resolution_request_failing on bonus_resolution_request (brand_id, requested_at) where tries > 0;

create table funds_publication ( -- cell
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
