-- Erasure of single players (src/privacy/README.md).

-- A request, and how far the work has come. The user_id stands here for as long as the work needs it, and not a moment longer.
create table erasure ( -- cell
  number        bigint generated always as identity,
  erasure_id    bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id      int not null,
  player_id     bigint not null,
  -- HMAC of brand and player with a key from CROUPIER_SECRET: whoever knows the user_id can tell that it was this one.
  user_key      bytea not null check (length(user_key) = 32),
  user_id       text,
  -- Goes on although money or a consent is open.
  forced        boolean not null,
  step          text not null default 'waiting'
    check (step in ('waiting', 'ledger', 'rows', 'settling', 'vacuum', 'done', 'cancelled')),
  -- Why it does not go on at the moment.
  held_because  text,
  -- The next turn; null when it is over.
  due_at        timestamptz,
  claim         bigint,
  -- How often in a row the step was held, or failed: an erasure that is held asks again less and less often.
  tries         int not null default 0,
  requested_at  timestamptz not null,
  closed_at     timestamptz,
  finished_at   timestamptz,
  -- What was taken out, by table, and what could not be looked into.
  counts        jsonb not null default '{}'
);
create unique index erasure_open on erasure (player_id) where finished_at is null;
create index erasure_due on erasure (due_at) where due_at is not null;
create index erasure_brand on erasure (brand_id, erasure_id);
create sequence erasure_claim;

-- Players of whose user_id nothing is taken for 30 days: neither their bytes nor an unkeyed hash.
create table erased_user ( -- cell
  user_key   bytea primary key check (length(user_key) = 32),
  brand_id   int not null,
  -- So that an event of another bucket needs no HMAC.
  bucket     smallint not null,
  erased_at  timestamptz not null,
  until      timestamptz not null,
  -- Events that came since, and were answered and forgotten.
  dropped    bigint not null default 0
);
create index erased_user_until on erased_user (until);

-- Grows with every change of erased_user: what a process holds in memory is right as long as it is the same.
create table erasure_epoch ( -- cell: its own
  one    boolean primary key default true check (one),
  epoch  bigint not null default 0
);
insert into erasure_epoch default values;

-- Events of erased players that got into the ledger all the same, because an api process did not know yet; taken out within seconds.
create table erasure_leftover ( -- cell
  writer_id  int not null,
  seq        bigint not null,
  bucket     smallint not null,
  primary key (writer_id, seq, bucket)
);

-- What erased players had added to the roll-ups of live: a day of a roll-up is the sum of its players' day rows and of this.
create table erased_rollup ( -- cell: its own
  name      text not null,
  brand_id  int not null,
  day       date not null,
  -- The columns of the roll-up, by name.
  figures   jsonb not null,
  primary key (name, brand_id, day)
);
