-- Reconciliation: user sets of the operator compared with ours (src/operator/reconciliation/README.md).

-- One row per run: one field of one brand, asked once. The states are drawn in src/operator/reconciliation/run.ts.
create table reconciliation (
  reconciliation_id  bigint generated always as identity primary key,
  brand_id           int not null,
  field              text not null,
  cause              text not null check (cause in ('schedule', 'person')),
  state              text not null check (state in ('waiting', 'reading', 'comparing', 'asking', 'held', 'done',
                                                    'failed', 'not_offered', 'cancelled', 'rejected', 'superseded')),
  -- Why it is held, or why it failed.
  reason             text,
  detail             text,
  requested_at       timestamptz not null,
  started_at         timestamptz,
  -- When everything that it says was compared, and what tightens was written.
  applied_at         timestamptz,
  finished_at        timestamptz,
  cancel_requested   boolean not null default false,
  -- Of the worker that reads the answer; run out: that worker is dead, and so is the run.
  claim              bigint,
  claimed_until      timestamptz,
  -- What came: bytes, ids as listed, and how many of them differ.
  bytes              bigint not null default 0,
  ids_read           bigint not null default 0,
  ids                bigint,
  -- Ids of the last applied result of the field, for `held`.
  ids_before         bigint,
  -- The operator's own time of the result, and the moment that facts are compared by: not later than we asked.
  result_timestamp   timestamptz,
  as_of              timestamptz,
  -- How far comparing and asking have come: a step, and the last user_id that it has done.
  step               text check (step in ('players', 'look_ups', 'unknown')),
  position           text,
  compared           bigint not null default 0,
  tightened          bigint not null default 0,
  to_look_up         bigint not null default 0,
  looked_up          bigint not null default 0,
  reported           bigint not null default 0,
  newer              bigint not null default 0,
  created            bigint not null default 0
) with (fillfactor = 50);
-- One run of a field is under way at most; those held wait for a person and do not stop the next one.
create unique index reconciliation_open on reconciliation (brand_id, field)
  where state in ('waiting', 'reading', 'comparing', 'asking');
-- One answer at a time is read from an operator, and compared.
create unique index reconciliation_running on reconciliation (brand_id) where state in ('reading', 'comparing');
create index reconciliation_unfinished on reconciliation (state, reconciliation_id)
  where state in ('waiting', 'reading', 'comparing', 'asking', 'held');
create index reconciliation_list on reconciliation (brand_id, reconciliation_id);
create index reconciliation_applied on reconciliation (brand_id, field, reconciliation_id) where applied_at is not null;

create sequence reconciliation_claim;

-- What the two sides said differently of a player, and what was done about it. Names no user_id: an erased player leaves nothing here.
create table reconciliation_drift (
  reconciliation_id  bigint not null,
  player_id          bigint not null,
  -- null: unknown to us.
  we_say             boolean,
  they_say           boolean not null,
  -- Since when we say so.
  since              timestamptz,
  done               text not null check (done in ('tightened', 'look_up', 'reported', 'newer', 'created')),
  primary key (reconciliation_id, player_id)
);

-- The last result of a field that was applied in full: it renewed the age of what we allow of every player of the brand.
create table reconciliation_age (
  brand_id  int not null,
  field     text not null,
  as_of     timestamptz not null,
  primary key (brand_id, field)
);

-- When a field is due next.
create table reconciliation_schedule (
  brand_id  int not null,
  field     text not null,
  due_at    timestamptz not null,
  -- The settings that `due_at` was reckoned from; others reckon anew.
  plan      text not null,
  -- Runs that failed in a row.
  failures  int not null default 0,
  primary key (brand_id, field)
);
create index reconciliation_schedule_due on reconciliation_schedule (due_at);

-- Lists while they are compared: one unlogged table per run, run_<reconciliation_id>, dropped when the run is over.
create schema reconciliation_stage;
