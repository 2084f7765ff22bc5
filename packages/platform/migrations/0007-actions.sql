-- Bonus intents: what is to be credited, the calls that were made, and their outcomes (src/actions/intents/README.md).

-- One permanent row per intent. Only the state machine (src/actions/intents/machine.ts) writes the columns from `state` to
-- `due_for`. `claim` belongs to the worker that processes the row.
create table bonus_intent ( -- cell
  -- Also the Idempotency-Key and the reference of all calls. It must be unique across installations and restored databases, so
  -- it is not a sequence number. Its low 6 bits are the player's bucket (src/actions/intents/intent-id.ts).
  intent_id         uuid primary key,
  brand_id          int not null,
  player_id         bigint not null,
  -- 'bonus': POST /bonus/credit. 'funds': POST /bonus/credit/funds.
  kind              text not null check (kind in ('bonus', 'funds')),
  bonus_code        text not null,
  amount            numeric,
  currency          text,
  -- Values for the fields in the brand's setting bonus_extra_fields.
  extra             jsonb not null default '{}',
  -- The references of docs/reference/decisions.md 6; activity_id is the campaign.
  activity_id       text,
  action_id         text,
  action_group_id   text,
  trigger_hash      text,
  note              text,
  -- The key of the caller's request and a digest of its content. A repeated request creates no second intent.
  request_key       text,
  request_digest    text,
  offered           boolean not null,
  expires_at        timestamptz,
  created_at        timestamptz not null,
  created_by        text not null,

  state             text not null check (state in ('offered', 'pending', 'retry', 'unknown', 'needs_person', 'credited', 'rejected')),
  reason            text,
  -- What caused the final state, or null.
  resolved_by       text,
  state_since       timestamptz not null,
  claimed_at        timestamptz,
  attempts          int not null default 0,
  open_attempt      int,
  -- Numbers of the attempts whose outcome is unknown.
  doubts            int[] not null default '{}',
  -- Number of consecutive calls that credited nothing, or of repeats of an unknown call; and since when the intent waits for
  -- its credit.
  tries             int not null default 0,
  waits_since       timestamptz,
  first_attempt_at  timestamptz,
  last_attempt_at   timestamptz,
  due_at            timestamptz,
  due_for           text check (due_for in ('call', 'answer', 'expiry', 'deadline')),

  -- Credited funds that are being written to the ledger (src/actions/funds/README.md): the last reported state of the intent.
  -- The row itself marks that a report is needed, so no transition can miss it.
  funds_told        boolean not null default false,
  funds_revision    int not null default 0,

  claim             bigint,
  check ((amount is null) = (currency is null)),
  check ((kind = 'funds') = (amount is not null)),
  check ((due_at is null) = (due_for is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create unique index bonus_intent_request on bonus_intent (player_id, request_key) where request_key is not null;
-- Calls are claimed per operator and endpoint. Intents that become due without a call are claimed across all brands.
create index bonus_intent_calls on bonus_intent (brand_id, kind, due_at) where due_for = 'call';
-- When a campaign is stopped or resumed, a worker finds its waiting credits here.
create index bonus_intent_campaign on bonus_intent (brand_id, activity_id, created_at) where due_for = 'call' and activity_id is not null;
-- When a campaign is stopped, a worker finds its unclaimed offers here. Without it, each round would read all offers of the campaign.
create index bonus_intent_offered on bonus_intent (brand_id, activity_id, created_at) where state = 'offered' and activity_id is not null;
create index bonus_intent_times on bonus_intent (due_at) where due_for <> 'call';
create index bonus_intent_player on bonus_intent (player_id, created_at, intent_id);
create index bonus_intent_brand on bonus_intent (brand_id, created_at, intent_id);
-- Intents that are not final. There are few, and lists, alarms, transitions and the resolution by events read them.
create index bonus_intent_waiting on bonus_intent (brand_id, state, state_since) where state not in ('credited', 'rejected');
create index bonus_intent_waiting_player on bonus_intent (player_id) where state not in ('credited', 'rejected');
-- For lists that filter by rare values. Without these indexes, a page would read all intents of the brand
-- (src/actions/intents/listing.ts).
create index bonus_intent_activity on bonus_intent (brand_id, activity_id, created_at, intent_id) where activity_id is not null;
create index bonus_intent_code on bonus_intent (brand_id, bonus_code, created_at, intent_id);
create index bonus_intent_untold on bonus_intent (intent_id) where kind = 'funds' and (state = 'credited') <> funds_told;
-- For the lists of what a campaign did not credit (src/campaigns/results).
create index bonus_intent_rejected on bonus_intent (intent_id) where state = 'rejected';
create index bonus_intent_matched on bonus_intent (player_id) where resolved_by = 'match';
-- For bonuses without references, whose cost belongs to a credited intent (src/actions/resolution/request-store.ts).
create index bonus_intent_credited on bonus_intent (player_id, bonus_code) where state = 'credited';


-- Every call, written before its first byte is sent.
create table bonus_attempt ( -- cell
  intent_id       uuid not null,
  attempt_no      int not null,
  player_id       bigint not null,
  -- The decision of the gate that allowed the call.
  decision_id     bigint,
  claim           bigint not null,
  process         text not null,
  started_at      timestamptz not null,
  -- {method, path, headers, body}, without credentials.
  request         jsonb not null,
  -- Null while open. 'lost': the worker died before it recorded the answer. 'unsent': the worker found before sending that the
  -- call was no longer allowed.
  outcome         text check (outcome in ('credited', 'rejected', 'unknown', 'retry', 'lost', 'unsent')),
  reason          text,
  detail          text,
  took_ms         int,
  ended_at        timestamptz,
  -- True if the answer arrived after the claim had expired.
  late            boolean not null default false,
  answer_status   int,
  answer_body     text,
  answer_cut      boolean not null default false,
  primary key (intent_id, attempt_no)
);

-- The transitions of an intent, in order.
create table bonus_intent_change ( -- cell
  number      bigint generated always as identity,
  change_id   bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  intent_id   uuid not null,
  player_id   bigint not null,
  at          timestamptz not null,
  event       text not null,
  state       text not null,
  reason      text,
  -- The person who made the change, if any, with a note.
  actor       text,
  note        text,
  -- The proof: the bonus event of a resolution.
  proof       jsonb
);
create index bonus_intent_change_intent on bonus_intent_change (intent_id, change_id);

-- Budgets for bonuses (src/actions/budgets/README.md).
create table bonus_budget ( -- control
  budget_id      int generated always as identity primary key,
  brand_id       int not null,
  name           text not null,
  -- campaign: one shared limit for all intents with its activity_id. player: a limit for each player, for one activity_id or
  -- for all.
  scope          text not null check (scope in ('campaign', 'player')),
  activity_id    text,
  -- For a player's limit: a period of this many times 24 hours. Null: lifetime.
  window_days    int check (window_days between 1 and 366),
  -- In the base currency of the brand.
  limit_amount   numeric check (limit_amount >= 0),
  limit_count    int check (limit_count >= 0),
  -- The cost of bonuses without an amount, by bonus_code: {"WELCOME100": "100"}. Other codes count only in number.
  bonus_values   jsonb not null default '{}',
  -- Percent of a campaign's limit at which an alarm is raised.
  alarm_percent  int not null default 90 check (alarm_percent between 1 and 100),
  created_at     timestamptz not null,
  created_by     text not null,
  -- A closed budget limits nothing. It stays as a record of what was spent.
  closed_at      timestamptz,
  check (limit_amount is not null or limit_count is not null),
  check ((scope = 'player' or activity_id is not null) and (scope = 'player' or window_days is null))
);
create index bonus_budget_open on bonus_budget (brand_id) where closed_at is null;

-- The used part of a budget. Reservations lock this row, so they run one after the other. `holder` is the player, or 0 for the
-- shared limit of a campaign.
create table bonus_budget_use ( -- cell: its own
  budget_id        int not null,
  holder           bigint not null,
  reserved_amount  numeric not null default 0,
  reserved_count   int not null default 0,
  spent_amount     numeric not null default 0,
  spent_count      int not null default 0,
  primary key (budget_id, holder)
) with (fillfactor = 50);

-- The part of a budget that one intent uses.
create table bonus_reservation ( -- cell
  intent_id      uuid not null,
  budget_id      int not null,
  holder         bigint not null,
  player_id      bigint not null,
  state          text not null check (state in ('reserved', 'spent', 'released')),
  -- In the base currency, at the rate below. The rate is null if none was needed.
  amount         numeric not null,
  exchange_rate  numeric,
  at             timestamptz not null,
  primary key (intent_id, budget_id)
) with (fillfactor = 80);
create index bonus_reservation_window on bonus_reservation (budget_id, holder, at) where state <> 'released';
create index bonus_reservation_player on bonus_reservation (player_id);

-- Bonuses that are known to be the result of an intent (src/actions/resolution/README.md).
create table bonus_intent_grant ( -- cell
  player_id      bigint not null,
  user_bonus_id  text not null,
  intent_id      uuid not null,
  -- reference: the operator named the intent. match: the bonus proves an intent in doubt. explained: the bonus fits an intent
  -- that is credited anyway.
  how            text not null check (how in ('reference', 'match', 'explained')),
  since          timestamptz not null,
  primary key (player_id, user_bonus_id)
);
create index bonus_intent_grant_intent on bonus_intent_grant (intent_id);

-- Pairs of player and bonus_code whose intents and bonuses must be matched again. Rows are only inserted and deleted, so
-- inserts never wait for each other. Several rows of a pair are processed together.
create table bonus_resolution_request ( -- cell
  number        bigint generated always as identity,
  request_id    bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id      int not null,
  player_id     bigint not null,
  bonus_code    text not null,
  requested_at  timestamptz not null default now(),
  due_at        timestamptz not null default now(),
  -- Number of failed tries, and the last error.
  tries         int not null default 0,
  last_error    text
);
create index bonus_resolution_request_due on bonus_resolution_request (due_at);
create index bonus_resolution_request_of on bonus_resolution_request (player_id, bonus_code);
-- Waiting requests, oldest first; and those that failed (src/actions/resolution/listing.ts).
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
  -- Null: no rate is known yet, so the report waits.
  exchange_rate  numeric,
  bonus_code     text not null,
  noted_at       timestamptz not null,
  due_at         timestamptz not null default now(),
  primary key (intent_id, revision)
);
create index funds_publication_due on funds_publication (due_at);
create index funds_publication_brand on funds_publication (brand_id, noted_at);
