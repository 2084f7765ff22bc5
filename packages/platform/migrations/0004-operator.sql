-- What the operator's books say of players, and how we ask and tell it (src/operator/README.md).

-- Player sync: which look-ups at the operator are due, what they brought, and how each operator endpoint fares.

-- One row per player and look-up, made when the player is first heard of and then for life. It is both the request
-- ("look this up") and its memory ("how old is what we know"). A claim takes the row by setting `claim` and moving
-- `due_at` to the time at which the claim runs out, so a dead worker's rows fall due again by themselves.
create table player_sync ( -- cell
  player_id       bigint not null,
  look_up         text not null check (look_up in ('details', 'consents', 'blocks')),
  brand_id        int not null,
  -- Counts requests; `done` is the number that the last good answer settled. Equal: nothing is owed.
  requested       bigint not null default 1,
  done            bigint not null default 0,
  -- The newest request that an update of the player's own records caused (user_update, consents_update, blocks_update). While
  -- `done` has not reached it, what we know is known to be outdated, and the gate holds contacts.
  news            bigint not null default 0,
  -- 0 live: an event or a person waits for it. 1 background: retries, imports, re-synchronisation.
  lane            smallint not null check (lane in (0, 1)),
  -- Only what may start nothing asked since the last good answer: imported events, or a list that made the player known. What the
  -- answer changes is silent (record_change.silent).
  silent          boolean not null default false,
  due_at          timestamptz,
  -- Token of the worker's claim; an answer is written only where it still stands.
  claim           bigint,
  -- Failures in a row since the last request.
  attempts        int not null default 0,
  parked          boolean not null default false,
  -- When the last good answer was asked for: the age of what we know.
  as_of           timestamptz,
  failing_since   timestamptz,
  failed_at       timestamptz,
  failure         text,
  failure_detail  text,
  primary key (player_id, look_up)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index player_sync_due on player_sync (brand_id, look_up, lane, due_at) where due_at is not null;
create index player_sync_parked on player_sync (brand_id, look_up) where parked;
create index player_sync_failing on player_sync (brand_id, failing_since) where failing_since is not null;


-- The user details record (docs/reference/interface.md), one column a field, as the operator last said it in the right type. Rows are
-- written only when something changed: the age of a field is player_sync.as_of of look-up 'details', but for the fields
-- in `older`, whose last answer was unusable and whose value stands since the time given there (microseconds).
create table player_profile ( -- cell
  player_id            bigint primary key,
  address              text,
  birth_date           text,
  city                 text,
  country              text,
  currency             text,
  email                text,
  first_name           text,
  is_blocked           boolean,
  is_excluded          boolean,
  language             text,
  last_name            text,
  mobile               text,
  mobile_prefix        text,
  origin               text,
  postal_code          text,
  roles                text[],
  sex                  text,
  title                text,
  username             text,
  verified_at          timestamptz,
  registration_code    text,
  registration_date    timestamptz,
  affiliate_reference  text,
  market               text,
  segmentation         jsonb not null default '{}',
  -- Fields that the interface does not know.
  extra                jsonb not null default '{}',
  older                jsonb not null default '{}',
  -- The last answer's flag was not a boolean: it counts as true until it is one again (docs/reference/decisions.md 7).
  blocked_in_doubt     boolean not null default false,
  excluded_in_doubt    boolean not null default false,
  changed_at           timestamptz not null
);
-- As player_search, by the beginning of an e-mail.
create index player_profile_search on player_profile (lower(email) collate "C");
-- Finds who replied to an SMS (src/replies/sender.ts): operators write numbers in many ways, but all end in the same digits.
create index player_profile_number on player_profile (right(regexp_replace(mobile, '[^0-9]', '', 'g'), 5));

-- Consents and blocks, one row per type that was ever heard of. `type` is the interface's spelling (or the operator's,
-- for a type the interface does not know); `type_key` is its lower case. As above, rows change only when their content
-- does: a look-up that confirms a row which is not in doubt renews its age through player_sync.as_of alone.
create table player_consent ( -- cell
  player_id   bigint not null,
  type_key    text not null,
  type        text not null,
  -- How the operator last spelled the type; used when writing back (docs/reference/decisions.md 4).
  spelling    text not null,
  -- null: unknown, because the operator's last answer lacks the type.
  opted_in    boolean,
  in_doubt    boolean not null default false,
  -- A change of ours that the operator's books have not confirmed (write_back_item): look-ups neither change such a row nor renew
  -- its age until the change is settled.
  unconfirmed boolean not null default false,
  source      text not null,
  as_of       timestamptz not null,
  primary key (player_id, type_key)
);

create table player_block ( -- cell
  player_id   bigint not null,
  type_key    text not null,
  type        text not null,
  spelling    text not null,
  -- null: never heard in the right type. In doubt counts as active.
  active      boolean,
  in_doubt    boolean not null default false,
  note        text,
  -- As of player_consent.
  unconfirmed boolean not null default false,
  source      text not null,
  as_of       timestamptz not null,
  primary key (player_id, type_key)
);

-- Parts of good answers that could not be used: listed until an answer comes without them.
create table sync_problem ( -- cell
  player_id   bigint not null,
  look_up     text not null,
  path        text not null,
  brand_id    int not null,
  reason      text not null,
  message     text not null,
  since       timestamptz not null,
  primary key (player_id, look_up, path)
);
create index sync_problem_brand on sync_problem (brand_id, since, player_id);

-- Keys of `segmentation` in the details of the brand's players, with each kind of value that was seen under them. It tells
-- what arrived, so it is no derived state.
create table segmentation_key ( -- cell: its own
  brand_id       int not null,
  key            text not null,
  kind           text not null check (kind in ('number', 'text', 'boolean', 'timestamp', 'other')),
  -- The value that was seen first.
  sample         jsonb not null,
  first_seen_at  timestamptz not null,
  -- Of players whose details changed; moved on at most once a day.
  last_seen_at   timestamptz not null,
  primary key (brand_id, key, kind)
);

-- How each endpoint of each operator fares: the whole life in one row, and by the minute for rates and latencies.
create table operator_endpoint ( -- cell: its own
  brand_id               int not null,
  endpoint               text not null,
  successes              bigint not null default 0,
  failures               bigint not null default 0,
  -- Failures in a row; `failing_since` is when they began.
  failures_in_a_row      bigint not null default 0,
  failing_since          timestamptz,
  last_success_at        timestamptz,
  last_failure_at        timestamptz,
  last_failure           text,
  last_failure_detail    text,
  -- Last time the operator let us in and answered: shows that the credentials are right.
  last_authenticated_at  timestamptz,
  primary key (brand_id, endpoint)
);

create table operator_endpoint_minute ( -- cell: its own
  brand_id    int not null,
  endpoint    text not null,
  minute      timestamptz not null,
  successes   int not null,
  failures    int not null,
  -- Calls by duration, in the buckets of src/operator/calling/health/latency.ts.
  latency     int[] not null,
  primary key (brand_id, endpoint, minute)
);
create index operator_endpoint_minute_age on operator_endpoint_minute (minute);

-- Circuits as others see them (src/operator/calling/health/circuit-store.ts).

-- Circuits that hold calls back, as each process told them last. Closed ones have no row; a row that has not been told again for
-- some seconds is a dead process's.
create table operator_circuit ( -- cell: its own
  brand_id      int not null,
  endpoint      text not null,
  process       text not null,
  state         text not null check (state in ('open', 'probing', 'paused')),
  open_since    timestamptz,
  next_call_at  timestamptz,
  reported_at   timestamptz not null,
  primary key (brand_id, endpoint, process)
);

-- What protects players (src/operator/protection).

-- What protected each player when it was last published: the state that the next change is compared with.
create table player_protection ( -- cell
  player_id       bigint primary key,
  brand_id        int not null,
  excluded        boolean not null default false,
  blocked         boolean not null default false,
  -- Whether each consent counts as given, by its type in lower case.
  consents        jsonb not null default '{}',
  -- Null: the row was made by the transaction that is writing it.
  noted_at        timestamptz
);

create table protection_transition ( -- cell
  number         bigint generated always as identity,
  transition_id  bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id       int not null,
  player_id      bigint not null,
  kind           text not null check (kind in
                   ('excluded', 'exclusion_ended', 'blocked', 'block_ended', 'consent_withdrawn', 'consent_given')),
  consent_type   text,
  source         text not null,
  at             timestamptz not null
);
create index protection_transition_brand on protection_transition (brand_id, transition_id desc);
create index protection_transition_player on protection_transition (player_id, transition_id desc);

-- One row per transition and follower that has not handled it yet, written with the transition.
create table protection_delivery ( -- cell
  follower       text not null,
  transition_id  bigint not null,
  due_at         timestamptz not null default now(),
  attempts       int not null default 0,
  failure        text,
  primary key (follower, transition_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index protection_delivery_due on protection_delivery (follower, due_at, transition_id);

-- Players whose details, consents or blocks changed, for the stage that follows from them what players belong to. It deletes what it has
-- looked at.
create table record_change ( -- cell
  number      bigint generated always as identity,
  change_id   bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id    int not null,
  player_id   bigint not null,
  -- Where the change was learned: look_up, reconciliation, unsubscribe, site, staff.
  source      text not null,
  -- What follows from the change may start no campaign (player_sync.silent).
  silent      boolean not null default false,
  at          timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Changes of consents and blocks made here, on their way into the operator's books (src/operator/writeback/README.md).

-- The queue: one row per player and record, for life. One write per row runs at a time; a claim is a number and the
-- moment at which it runs out, as in player_sync.
create table write_back ( -- cell
  player_id  bigint not null,
  record     text not null check (record in ('consents', 'blocks')),
  brand_id   int not null,
  due_at     timestamptz,
  claim      bigint,
  primary key (player_id, record)
) with (fillfactor = 80);
create index write_back_due on write_back (brand_id, record, due_at) where due_at is not null;

create sequence write_back_change;

-- What was changed: one row per change and type, kept as the history of the player's own choices. `latest` is the newest
-- of its type; only that one is ever written.
create table write_back_item ( -- cell
  number          bigint generated always as identity,
  item_id         bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  change_id       bigint not null,
  brand_id        int not null,
  player_id       bigint not null,
  record          text not null check (record in ('consents', 'blocks')),
  type_key        text not null,
  type            text not null,
  -- opted_in of a consent, active of a block.
  wanted          boolean not null,
  note            text,
  source          text not null check (source in ('unsubscribe', 'site', 'staff')),
  changed_at      timestamptz not null,
  latest          boolean not null default true,
  state           text not null check (state in
                    ('pending', 'sending', 'stored', 'confirmed', 'contradicted', 'overruled', 'superseded', 'kept')),
  -- The operator refused it in company of others: it is sent by itself from then on.
  alone           boolean not null default false,
  -- Failures in a row, and when the next try is due.
  attempts        int not null default 0,
  due_at          timestamptz,
  -- How often it was written again because a look-up still said the opposite.
  rewrites        smallint not null default 0,
  stored_at       timestamptz,
  -- The first request of player_sync whose look-up was certainly asked after the operator had stored it.
  confirm_request bigint,
  settled_at      timestamptz,
  failing_since   timestamptz,
  failed_at       timestamptz,
  failure         text,
  failure_detail  text,
  -- What the last look-up said of the type (null: nothing clear), while the change was open.
  said            boolean,
  said_at         timestamptz,
  -- A write of unknown outcome may take effect at the operator late, after a newer change was stored
  -- (src/operator/players/own-changes/own-changes.ts): until then an opt-in (or the removal of a block) of this type may come late.
  late_until      timestamptz,
  -- A look-up asked after the operator had stored the change has said the same.
  seen            boolean not null default false
);
create unique index write_back_item_latest on write_back_item (player_id, record, type_key) where latest;
create index write_back_item_player on write_back_item (player_id, item_id);
create index write_back_item_open on write_back_item (brand_id, item_id)
  where latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept');
-- Look-ups ask for each player whether anything is open; nearly always nothing is.
create index write_back_item_open_player on write_back_item (player_id)
  where latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept');

-- The last calls per player and record, the newest 20 (writeback/attempt-store.ts).
create table write_back_attempt ( -- cell
  number      bigint generated always as identity,
  attempt_id  bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  player_id   bigint not null,
  record      text not null,
  brand_id    int not null,
  item_ids    bigint[] not null,
  started_at  timestamptz not null,
  took_ms     int not null,
  request     jsonb not null,
  -- null: no answer came.
  status      int,
  answer      text,
  outcome     text not null,
  detail      text
);
create index write_back_attempt_player on write_back_attempt (player_id, record, attempt_id);

-- Reconciliation: user sets of the operator compared with ours (src/operator/reconciliation/README.md).

-- One row per run: one field of one brand, asked once. The states are drawn in src/operator/reconciliation/run.
create table reconciliation ( -- cell: its own
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
create table reconciliation_drift ( -- cell
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
create table reconciliation_age ( -- cell: its own
  brand_id  int not null,
  field     text not null,
  as_of     timestamptz not null,
  primary key (brand_id, field)
);

-- When a field is due next.
create table reconciliation_schedule ( -- cell: its own
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

-- Runs of re-synchronisation (src/operator/resync/README.md).

-- One row per run, for ever. The states are drawn in src/operator/resync/run.ts.
create table resync ( -- cell: its own
  resync_id       bigint generated always as identity primary key,
  brand_id        int not null,
  state           text not null check (state in ('asking', 'answering', 'paused', 'done', 'cancelled')),
  -- Whom: conditions in the words of src/operator/resync/filter.ts; {} is the whole brand.
  filter          jsonb not null,
  -- These players alone, in the order of their number; null: all that fit the filter.
  player_ids      bigint[],
  look_ups        text[] not null,
  -- null: the setting operator.resync_per_second, as it is at each step.
  per_second      int check (per_second > 0),
  requested_by    text not null,
  requested_at    timestamptz not null,
  started_at      timestamptz,
  asked_all_at    timestamptz,
  finished_at     timestamptz,
  -- The last player that was looked at, and the last one there was at the start: who comes later is looked up anyway.
  position        bigint not null default 0,
  last_player_id  bigint,
  -- Up to when the pace has been used.
  paced_to        timestamptz,
  -- Players that fit; null until the first step has counted them.
  total           bigint,
  -- Look-ups.
  asked           bigint not null default 0,
  answered        bigint not null default 0,
  failed          bigint not null default 0
) with (fillfactor = 50);
-- One run at a time per brand, be it paused.
create unique index resync_active on resync (brand_id) where state in ('asking', 'answering', 'paused');
create index resync_list on resync (brand_id, resync_id);

-- Look-ups that were asked for and have neither been answered nor failed for good: a few thousand at most.
create table resync_open ( -- cell
  resync_id  bigint not null,
  player_id  bigint not null,
  look_up    text not null,
  -- The request of player_sync that must be answered.
  request    bigint not null,
  primary key (resync_id, player_id, look_up)
);
-- An erasure takes the player's.
create index resync_open_player on resync_open (player_id);
