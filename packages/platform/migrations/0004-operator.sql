-- Player sync: which look-ups at the operator are due, what they brought, and how each operator endpoint fares
-- (src/operator/README.md).

-- One row per player and look-up, made when the player is first heard of and then for life. It is both the request
-- ("look this up") and its memory ("how old is what we know"). A claim takes the row by setting `claim` and moving
-- `due_at` to the time at which the claim runs out, so a dead worker's rows fall due again by themselves.
create table player_sync (
  player_id       bigint not null,
  look_up         text not null check (look_up in ('details', 'consents', 'blocks')),
  brand_id        int not null,
  -- Counts requests; `done` is the number that the last good answer settled. Equal: nothing is owed.
  requested       bigint not null default 1,
  done            bigint not null default 0,
  -- 0 live: an event or a person waits for it. 1 background: retries, imports, re-synchronisation.
  lane            smallint not null check (lane in (0, 1)),
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

create sequence player_sync_claim;

-- The user details record (interface.md), one column a field, as the operator last said it in the right type. Rows are
-- written only when something changed: the age of a field is player_sync.as_of of look-up 'details', but for the fields
-- in `older`, whose last answer was unusable and whose value stands since the time given there (microseconds).
create table player_profile (
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
  -- The last answer's flag was not a boolean: it counts as true until it is one again (decisions.md 7).
  blocked_in_doubt     boolean not null default false,
  excluded_in_doubt    boolean not null default false,
  changed_at           timestamptz not null
);

-- Consents and blocks, one row per type that was ever heard of. `type` is the interface's spelling (or the operator's,
-- for a type the interface does not know); `type_key` is its lower case. As above, rows change only when their content
-- does: a look-up that confirms a row which is not in doubt renews its age through player_sync.as_of alone.
create table player_consent (
  player_id   bigint not null,
  type_key    text not null,
  type        text not null,
  -- How the operator last spelled the type; used when writing back (decisions.md 4).
  spelling    text not null,
  -- null: unknown, because the operator's last answer lacks the type.
  opted_in    boolean,
  in_doubt    boolean not null default false,
  source      text not null,
  as_of       timestamptz not null,
  primary key (player_id, type_key)
);

create table player_block (
  player_id   bigint not null,
  type_key    text not null,
  type        text not null,
  spelling    text not null,
  -- null: never heard in the right type. In doubt counts as active.
  active      boolean,
  in_doubt    boolean not null default false,
  note        text,
  source      text not null,
  as_of       timestamptz not null,
  primary key (player_id, type_key)
);

-- Parts of good answers that could not be used: listed until an answer comes without them.
create table sync_problem (
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

-- How each endpoint of each operator fares: the whole life in one row, and by the minute for rates and latencies.
create table operator_endpoint (
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

create table operator_endpoint_minute (
  brand_id    int not null,
  endpoint    text not null,
  minute      timestamptz not null,
  successes   int not null,
  failures    int not null,
  -- Calls by duration, in the buckets of src/operator/health/latency.ts.
  latency     int[] not null,
  primary key (brand_id, endpoint, minute)
);
create index operator_endpoint_minute_age on operator_endpoint_minute (minute);
