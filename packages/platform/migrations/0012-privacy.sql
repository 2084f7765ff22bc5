-- Erasure of single players (src/privacy/README.md).

-- One row per request, with its progress. The user_id is here only for as long as the work needs it.
create table erasure ( -- cell
  number        bigint generated always as identity,
  erasure_id    bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id      int not null,
  player_id     bigint not null,
  -- HMAC of brand and player with a key derived from CROUPIER_SECRET. A person who knows the secret and the user_id can verify
  -- that it was this player.
  user_key      bytea not null check (length(user_key) = 32),
  user_id       text,
  -- True if the erasure continues although money or a consent is open.
  forced        boolean not null,
  step          text not null default 'waiting'
    check (step in ('waiting', 'ledger', 'rows', 'settling', 'vacuum', 'done', 'cancelled')),
  -- Why it currently waits, in each language of the console.
  held_because  jsonb,
  -- When it is due next. Null when it is over.
  due_at        timestamptz,
  claim         bigint,
  -- How many times in a row the step waited or failed. A waiting erasure checks again at growing intervals.
  tries         int not null default 0,
  requested_at  timestamptz not null,
  closed_at     timestamptz,
  finished_at   timestamptz,
  -- Number of removed rows by table, and of blocks that could not be searched.
  counts        jsonb not null default '{}'
);
create unique index erasure_open on erasure (player_id) where finished_at is null;
create index erasure_due on erasure (due_at) where due_at is not null;
create index erasure_brand on erasure (brand_id, erasure_id);
create sequence erasure_claim;

-- Erased players whose user_id is refused for 30 days. The table has neither the user_id nor an unkeyed hash of it.
create table erased_user ( -- cell
  user_key   bytea primary key check (length(user_key) = 32),
  brand_id   int not null,
  -- Lets events of other buckets be checked without an HMAC.
  bucket     smallint not null,
  erased_at  timestamptz not null,
  until      timestamptz not null,
  -- Number of later events that were answered and not stored.
  dropped    bigint not null default 0
);
create index erased_user_until on erased_user (until);

-- Increases with every change of erased_user. While it is unchanged, the copy in a process's memory is current.
create table erasure_epoch ( -- cell: its own
  one    boolean primary key default true check (one),
  epoch  bigint not null default 0
);
insert into erasure_epoch default values;

-- Events of erased players that were written to the ledger because an api process did not know of the erasure yet. They are
-- removed within seconds.
create table erasure_leftover ( -- cell
  writer_id  int not null,
  seq        bigint not null,
  bucket     smallint not null,
  primary key (writer_id, seq, bucket)
);

-- The part of the live roll-ups that came from erased players. A day of a roll-up is the sum of its players' day rows and of
-- this part.
create table erased_rollup ( -- cell: its own
  name      text not null,
  brand_id  int not null,
  day       date not null,
  -- The columns of the roll-up, by name.
  figures   jsonb not null,
  primary key (name, brand_id, day)
);
