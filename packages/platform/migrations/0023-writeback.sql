-- Changes of consents and blocks made here, on their way into the operator's books (src/operator/writeback/README.md).

-- A change of ours that the operator's books have not confirmed: look-ups neither change such a row nor renew its age
-- until the change is settled.
alter table player_consent add column unconfirmed boolean not null default false;
alter table player_block add column unconfirmed boolean not null default false;

-- The queue: one row per player and record, for life. One write per row runs at a time; a claim is a number and the
-- moment at which it runs out, as in player_sync.
create table write_back (
  player_id  bigint not null,
  record     text not null check (record in ('consents', 'blocks')),
  brand_id   int not null,
  due_at     timestamptz,
  claim      bigint,
  primary key (player_id, record)
) with (fillfactor = 80);
create index write_back_due on write_back (brand_id, record, due_at) where due_at is not null;

create sequence write_back_claim;
create sequence write_back_change;

-- What was changed: one row per change and type, kept as the history of the player's own choices. `latest` is the newest
-- of its type; only that one is ever written.
create table write_back_item (
  item_id         bigint generated always as identity primary key,
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
  said_at         timestamptz
);
create unique index write_back_item_latest on write_back_item (player_id, record, type_key) where latest;
create index write_back_item_player on write_back_item (player_id, item_id);
create index write_back_item_open on write_back_item (brand_id, item_id)
  where latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept');
-- Look-ups ask for each player whether anything is open; nearly always nothing is.
create index write_back_item_open_player on write_back_item (player_id)
  where latest and state in ('pending', 'sending', 'stored', 'contradicted', 'kept');

-- The last calls per player and record, the newest 20 (writeback/attempt-store.ts).
create table write_back_attempt (
  attempt_id  bigint generated always as identity primary key,
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
