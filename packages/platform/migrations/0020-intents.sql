-- Bonus intents: what shall be credited, what was tried, what came of it (src/actions/intents/README.md).

-- One row per intent, for life. The columns from `state` to `due_for` are the machine's position
-- (src/actions/intents/machine.ts) and written only by it; `claim` is who works on the row.
create table bonus_intent (
  -- Also the Idempotency-Key and the reference of all its calls: unique over installations and restored databases, hence no number.
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
  -- The references of decisions.md 6; activity_id is the campaign.
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

  claim             bigint,
  check ((amount is null) = (currency is null)),
  check ((kind = 'funds') = (amount is not null)),
  check ((due_at is null) = (due_for is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create unique index bonus_intent_request on bonus_intent (brand_id, request_key) where request_key is not null;
-- Calls are claimed per operator and endpoint; what falls due without a call, over all brands.
create index bonus_intent_calls on bonus_intent (brand_id, kind, due_at) where due_for = 'call';
create index bonus_intent_times on bonus_intent (due_at) where due_for <> 'call';
create index bonus_intent_player on bonus_intent (player_id, created_at, intent_id);
create index bonus_intent_brand on bonus_intent (brand_id, created_at, intent_id);
-- What is not at its end: few, and asked for by lists, alarms, transitions and the resolution by events.
create index bonus_intent_waiting on bonus_intent (brand_id, state, state_since) where state not in ('credited', 'rejected');
create index bonus_intent_waiting_player on bonus_intent (player_id) where state not in ('credited', 'rejected');

create sequence bonus_intent_claim;

-- Every call that was begun, written before its first byte left.
create table bonus_attempt (
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
create table bonus_intent_change (
  change_id   bigint generated always as identity primary key,
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
