-- The operator's records of players: look-ups, write-backs and lists (src/operator/README.md).

-- Player sync: which look-ups at the operator are due, their results, and the health of each operator endpoint.

-- One row per player and look-up. It is created with the player and exists until an erasure. It is both the request
-- ("look this up") and the result's age. A worker claims the row by setting `claim` and moving `due_at` to the time at which
-- the claim expires, so the rows of a dead worker become due again automatically.
create table player_sync ( -- cell
  player_id       bigint not null,
  look_up         text not null check (look_up in ('details', 'consents', 'blocks')),
  brand_id        int not null,
  -- Counts requests. `done` is the number of the request that the last good answer served. If both are equal, nothing is due.
  requested       bigint not null default 1,
  done            bigint not null default 0,
  -- The latest request caused by an update of the player's own records (user_update, consents_update, blocks_update). Until
  -- `done` reaches it, the stored records are outdated, and the gate holds contacts.
  news            bigint not null default 0,
  -- When the first update that is not answered yet was received.
  news_at         timestamptz,
  -- 0 live: an event or a person waits for the result. 1 background: retries, imports, re-synchronization.
  lane            smallint not null check (lane in (0, 1)),
  -- True if all requests since the last good answer came from causes that may not start a campaign: imported events, or a list
  -- that made the player known. The changes in the answer are then silent (record_change.silent).
  silent          boolean not null default false,
  due_at          timestamptz,
  -- Token of the worker's claim. An answer is written only if the claim is still valid.
  claim           bigint,
  -- Number of consecutive failures since the last request, and of the last ones among them that were of the same kind.
  attempts        int not null default 0,
  tries           int not null default 0,
  parked          boolean not null default false,
  -- The time at which the last good answer was requested. It determines the age of the stored records.
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


-- The user details record (docs/reference/interface.md), one column per field: the operator's last value of the right type. A
-- row is written only if something changed. The age of a field is player_sync.as_of of the look-up 'details'. The fields in
-- `older` are an exception: their last answer was unusable, and their value is from the time given there (microseconds).
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
  -- Fields that the interface does not define.
  extra                jsonb not null default '{}',
  older                jsonb not null default '{}',
  -- True if the last answer's flag was not a boolean. It then counts as true until it is a boolean again
  -- (docs/reference/decisions.md 7).
  blocked_in_doubt     boolean not null default false,
  excluded_in_doubt    boolean not null default false,
  changed_at           timestamptz not null,
  -- Of the player, set by the trigger below. The indexes of the search begin with it, so that a search reads no players of
  -- other brands.
  brand_id             int not null
);
-- For the searches by the beginning of an e-mail and of a name, like player_search. A search finds "Ann Berg" by `ann`, `ann b`,
-- `berg` and `berg a`.
create index player_profile_search on player_profile (brand_id, lower(email) collate "C", player_id);
create index player_profile_name on player_profile
  (brand_id, lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) collate "C", player_id);
create index player_profile_last_name on player_profile
  (brand_id, lower(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C", player_id);
-- For the last word of a name of several words: "van der Berg" by `berg`, "Mary-Ann" by `ann`. Most names have one word and are
-- not in these indexes.
create index player_profile_word_of_first_name on player_profile
  (brand_id, lower(substring(first_name from '[^[:space:]-]+$')) collate "C", player_id) where first_name ~ '[[:space:]-]';
create index player_profile_word_of_last_name on player_profile
  (brand_id, lower(substring(last_name from '[^[:space:]-]+$')) collate "C", player_id) where last_name ~ '[[:space:]-]';

create function set_brand_of_profile() returns trigger language plpgsql as $$
begin
  select brand_id into new.brand_id from player where player_id = new.player_id;
  return new;
end $$;
create trigger set_brand_of_profile before insert on player_profile for each row execute function set_brand_of_profile();

-- For finding the sender of an SMS reply (src/replies/sender.ts), and for the search by the last digits. Operators write numbers
-- in many ways, but the last digits are always the same. The digits are stored from the last to the first.
create index player_profile_number on player_profile
  (brand_id, reverse(regexp_replace(mobile, '[^0-9]', '', 'g')) collate "C", player_id);

-- Consents and blocks, one row per type that was ever received. `type` is the interface's spelling, or the operator's for a
-- type that the interface does not define. `type_key` is its lower case. A row is written only if its content changed: a
-- look-up that confirms a row which is not in doubt updates only player_sync.as_of.
create table player_consent ( -- cell
  player_id   bigint not null,
  type_key    text not null,
  type        text not null,
  -- The operator's latest spelling of the type, which write-backs use (docs/reference/decisions.md 4).
  spelling    text not null,
  -- Null: unknown, because the operator's last answer lacks the type.
  opted_in    boolean,
  in_doubt    boolean not null default false,
  -- True while the operator has not confirmed a change made here (write_back_item). Until the change is settled, look-ups
  -- neither change the row nor renew its age.
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
  -- Null: never received as a boolean. A block in doubt counts as active.
  active      boolean,
  in_doubt    boolean not null default false,
  note        text,
  -- Same as player_consent.unconfirmed.
  unconfirmed boolean not null default false,
  source      text not null,
  as_of       timestamptz not null,
  primary key (player_id, type_key)
);

-- Parts of good answers that could not be used. A row is removed when an answer has no such part.
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

-- Keys of `segmentation` in the details of the brand's players, with each kind of value that was received. The table records
-- what arrived, so it is not derived state.
create table segmentation_key ( -- cell: its own
  brand_id       int not null,
  key            text not null,
  kind           text not null check (kind in ('number', 'text', 'boolean', 'timestamp', 'other')),
  -- The first value that was received.
  sample         jsonb not null,
  first_seen_at  timestamptz not null,
  -- Updated when the details of a player change, at most once a day.
  last_seen_at   timestamptz not null,
  primary key (brand_id, key, kind)
);

-- The health of each operator endpoint: one row with lifetime counts, and one row per minute for rates and latencies.
create table operator_endpoint ( -- cell: its own
  brand_id               int not null,
  endpoint               text not null,
  successes              bigint not null default 0,
  failures               bigint not null default 0,
  -- Number of consecutive failures. `failing_since` is the time of the first.
  failures_in_a_row      bigint not null default 0,
  failing_since          timestamptz,
  last_success_at        timestamptz,
  last_failure_at        timestamptz,
  last_failure           text,
  last_failure_detail    text,
  -- The last time the operator accepted the credentials and answered.
  last_authenticated_at  timestamptz,
  primary key (brand_id, endpoint)
);

create table operator_endpoint_minute ( -- cell: its own
  brand_id    int not null,
  endpoint    text not null,
  minute      timestamptz not null,
  successes   int not null,
  failures    int not null,
  -- Number of calls by duration, in the buckets of src/operator/calling/health/latency.ts.
  latency     int[] not null,
  primary key (brand_id, endpoint, minute)
);
create index operator_endpoint_minute_age on operator_endpoint_minute (minute);

-- The circuits of all processes (src/operator/calling/health/circuit-store.ts).

-- Circuits that prevent calls, as last reported by each process. A closed circuit has no row. If a row was not updated for
-- some seconds, its process is dead.
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

-- Protection of players (src/operator/protection).

-- The protection of each player when it was last published. The next change is compared with it.
create table player_protection ( -- cell
  player_id       bigint primary key,
  brand_id        int not null,
  excluded        boolean not null default false,
  blocked         boolean not null default false,
  -- Whether each consent counts as given, by type in lower case.
  consents        jsonb not null default '{}',
  -- Null while the transaction that creates the row is in progress.
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
  at             timestamptz not null,
  -- When the platform received the update or request that led to it. Earlier than `at` by the duration of the look-up.
  received_at    timestamptz not null,
  -- When the last follower so far handled it. Only of changes that protect; null until the first did.
  handled_at     timestamptz
);
create index protection_transition_brand on protection_transition (brand_id, kind, transition_id desc);
create index protection_transition_player on protection_transition (player_id, transition_id desc);

-- One row per transition and follower that has not handled it yet, written together with the transition.
create table protection_delivery ( -- cell
  follower       text not null,
  transition_id  bigint not null,
  due_at         timestamptz not null default now(),
  attempts       int not null default 0,
  failure        text,
  primary key (follower, transition_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index protection_delivery_due on protection_delivery (follower, due_at, transition_id);

-- Players whose details, consents or blocks changed. The segments stage evaluates them again and deletes the rows.
create table record_change ( -- cell
  number      bigint generated always as identity,
  change_id   bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id    int not null,
  player_id   bigint not null,
  -- The source of the change: look_up, reconciliation, unsubscribe, site, staff.
  source      text not null,
  -- True if the effects of the change may not start a campaign (player_sync.silent).
  silent      boolean not null default false,
  at          timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Changes of consents and blocks that were made here and are being sent to the operator (src/operator/writeback/README.md).

-- The queue: one permanent row per player and record. One write per row runs at a time. A claim is a number and an expiry
-- time, as in player_sync.
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

-- One row per change and type, kept as the history of the player's own choices. `latest` marks the newest change of a type.
-- Only that one is sent.
create table write_back_item ( -- cell
  number          bigint generated always as identity,
  item_id         bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  change_id       bigint not null,
  brand_id        int not null,
  player_id       bigint not null,
  record          text not null check (record in ('consents', 'blocks')),
  type_key        text not null,
  type            text not null,
  -- opted_in of a consent, or active of a block.
  wanted          boolean not null,
  note            text,
  source          text not null check (source in ('unsubscribe', 'site', 'staff')),
  changed_at      timestamptz not null,
  latest          boolean not null default true,
  state           text not null check (state in
                    ('pending', 'sending', 'stored', 'confirmed', 'contradicted', 'overruled', 'superseded', 'kept')),
  -- True if the operator refused the change together with others. It is then sent separately.
  alone           boolean not null default false,
  -- Number of consecutive failures, and of the last ones among them that were of the same kind. `due_at` is the time of the
  -- next try.
  attempts        int not null default 0,
  tries           int not null default 0,
  due_at          timestamptz,
  -- How many times the change was sent again because a look-up still had the opposite value.
  rewrites        smallint not null default 0,
  stored_at       timestamptz,
  -- The first request of player_sync whose look-up certainly began after the operator had stored the change.
  confirm_request bigint,
  settled_at      timestamptz,
  failing_since   timestamptz,
  failed_at       timestamptz,
  failure         text,
  failure_detail  text,
  -- The value in the latest look-up while the change was open. Null: no clear value.
  said            boolean,
  said_at         timestamptz,
  -- If the outcome of a write is unknown, it may take effect at the operator after a newer change was stored
  -- (src/operator/players/own-changes/own-changes.ts). Until this time, an opt-in or the removal of a block of this type may
  -- still arrive.
  late_until      timestamptz,
  -- True once a look-up that began after the operator stored the change had the same value.
  seen            boolean not null default false
);
create unique index write_back_item_latest on write_back_item (player_id, record, type_key) where latest;
create index write_back_item_player on write_back_item (player_id, item_id);
create index write_back_item_open on write_back_item (brand_id, item_id)
  where latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept');
-- Look-ups check for each player whether a change is open. Usually there is none.
create index write_back_item_open_player on write_back_item (player_id)
  where latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept');

-- The latest 20 calls per player and record (writeback/settle-store.ts).
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
  -- Null: there was no answer.
  status      int,
  answer      text,
  outcome     text not null,
  detail      text
);
create index write_back_attempt_player on write_back_attempt (player_id, record, attempt_id);

-- Reconciliation: the operator's lists of users, compared with the platform's records (src/operator/reconciliation/README.md).

-- One row per run: one field of one brand, requested once. src/operator/reconciliation/run shows the states.
create table reconciliation ( -- cell: its own
  reconciliation_id  bigint generated always as identity primary key,
  brand_id           int not null,
  field              text not null,
  cause              text not null check (cause in ('schedule', 'person')),
  state              text not null check (state in ('waiting', 'reading', 'comparing', 'asking', 'held', 'done',
                                                    'failed', 'not_offered', 'cancelled', 'rejected', 'superseded')),
  -- Why the run is held, or why it failed.
  reason             text,
  detail             text,
  requested_at       timestamptz not null,
  started_at         timestamptz,
  -- The time at which the whole list was compared and all restrictions were written.
  applied_at         timestamptz,
  finished_at        timestamptz,
  cancel_requested   boolean not null default false,
  -- The claim of the worker that reads the answer. If it expires, the worker is dead, and the run has failed.
  claim              bigint,
  claimed_until      timestamptz,
  -- Received so far: bytes, listed ids, and the number of different ids.
  bytes              bigint not null default 0,
  ids_read           bigint not null default 0,
  ids                bigint,
  -- Number of ids in the last applied list of the field, for `held`.
  ids_before         bigint,
  -- The operator's timestamp of the list, and the time with which facts are compared. The latter is never later than the
  -- request.
  result_timestamp   timestamptz,
  as_of              timestamptz,
  -- Progress of comparing and of look-ups: a step, and the last processed user_id.
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
-- A field has at most one running run. A held run waits for a person and does not prevent the next one.
create unique index reconciliation_open on reconciliation (brand_id, field)
  where state in ('waiting', 'reading', 'comparing', 'asking');
-- Only one answer of an operator is read and compared at a time.
create unique index reconciliation_running on reconciliation (brand_id) where state in ('reading', 'comparing');
create index reconciliation_unfinished on reconciliation (state, reconciliation_id)
  where state in ('waiting', 'reading', 'comparing', 'asking', 'held');
create index reconciliation_list on reconciliation (brand_id, reconciliation_id);
create index reconciliation_applied on reconciliation (brand_id, field, reconciliation_id) where applied_at is not null;

create sequence reconciliation_claim;

-- Differences between the two sides for a player, and what was done about them. The table has no user_id, so an erased player
-- leaves nothing here.
create table reconciliation_drift ( -- cell
  reconciliation_id  bigint not null,
  player_id          bigint not null,
  -- Null: the platform has no value.
  we_say             boolean,
  they_say           boolean not null,
  -- Since when the platform has this value.
  since              timestamptz,
  done               text not null check (done in ('tightened', 'look_up', 'reported', 'newer', 'created')),
  primary key (reconciliation_id, player_id)
);

-- The last completely applied list of a field. It renewed the age of every permission of that field in the brand.
create table reconciliation_age ( -- cell: its own
  brand_id  int not null,
  field     text not null,
  as_of     timestamptz not null,
  primary key (brand_id, field)
);

-- The time at which a field is due next.
create table reconciliation_schedule ( -- cell: its own
  brand_id  int not null,
  field     text not null,
  due_at    timestamptz not null,
  -- The settings from which `due_at` was computed. With other settings, it is computed again.
  plan      text not null,
  -- Number of consecutive failed runs.
  failures  int not null default 0,
  primary key (brand_id, field)
);
create index reconciliation_schedule_due on reconciliation_schedule (due_at);

-- The lists during comparison: one unlogged table per run, run_<reconciliation_id>, dropped at the end of the run.
create schema reconciliation_stage;

-- Runs of re-synchronization (src/operator/resync/README.md).

-- One permanent row per run. src/operator/resync/run.ts shows the states.
create table resync ( -- cell: its own
  resync_id       bigint generated always as identity primary key,
  brand_id        int not null,
  state           text not null check (state in ('asking', 'answering', 'paused', 'done', 'cancelled')),
  -- The conditions for players (src/operator/resync/filter.ts). {} is the whole brand.
  filter          jsonb not null,
  -- Only these players, in the order of their numbers. Null: all players who match the filter.
  player_ids      bigint[],
  look_ups        text[] not null,
  -- Null: the current value of the setting operator.resync_per_second, read at each step.
  per_second      int check (per_second > 0),
  requested_by    text not null,
  requested_at    timestamptz not null,
  started_at      timestamptz,
  asked_all_at    timestamptz,
  finished_at     timestamptz,
  -- The last processed player, and the last player at the start of the run. Later players are looked up anyway.
  position        bigint not null default 0,
  last_player_id  bigint,
  -- The time up to which the allowed rate is used.
  paced_to        timestamptz,
  -- Number of players who match. Null until the first step has counted them.
  total           bigint,
  -- Number of look-ups.
  asked           bigint not null default 0,
  answered        bigint not null default 0,
  failed          bigint not null default 0
) with (fillfactor = 50);
-- A brand has one run at a time, including a paused one.
create unique index resync_active on resync (brand_id) where state in ('asking', 'answering', 'paused');
create index resync_list on resync (brand_id, resync_id);

-- Look-ups that were requested and have neither been answered nor failed permanently: a few thousand at most.
create table resync_open ( -- cell
  resync_id  bigint not null,
  player_id  bigint not null,
  look_up    text not null,
  -- The request of player_sync that must be answered.
  request    bigint not null,
  primary key (resync_id, player_id, look_up)
);
-- For erasures, which delete the player's rows.
create index resync_open_player on resync_open (player_id);
