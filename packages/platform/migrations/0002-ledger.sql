-- The ledger: blocks of events as their writers committed them, and who reads them (src/ledger/README.md).

-- One row per committing connection of an api process. A connection that is lost is never used again, its successor is
-- a new writer: so the blocks of a writer commit in the order of their numbers, and a reader that has seen number n has
-- seen all before it.
create table ledger_writer ( -- cell: its own
  writer_id   int generated always as identity primary key,
  process     text not null,
  opened_at   timestamptz not null default now(),
  -- Set once the writer's connection is known to be gone: its last number. Readers past it forget the writer.
  closed_seq  bigint,
  -- How far its blocks are packed: always a beginning of them, because days are packed oldest first and the day of a writer
  -- never falls. Up to `packed_seq` readers find its events in packs (or they were dropped), after it in blocks. This one number
  -- decides, so a crash or a concurrent reader sees a block in exactly one of the two forms.
  packed_seq  bigint not null default 0,
  packed_day  date
);

create table ledger_block ( -- cell: its own
  writer_id    int not null,
  seq          bigint not null,
  -- UTC day of the writer's clock, never falling within a writer: the partition key.
  day          date not null,
  received_at  timestamptz not null,
  event_count  int not null,
  -- Bit b is set when the block has an event of bucket b: readers of other buckets skip the payload.
  bucket_mask  bigint not null,
  brand_ids    int[] not null,
  payload      bytea not null,
  primary key (writer_id, seq, day)
) partition by range (day);
-- Compressed by the writer where that pays; a second compression by the server would cost time and save nothing.
alter table ledger_block alter column payload set storage external;
create index ledger_block_received on ledger_block (received_at);

-- Blocks that a reader could not unpack, and stepped over: their events are kept, but not derived.
create table ledger_damage ( -- cell: its own
  writer_id    int not null,
  seq          bigint not null,
  event_count  int not null,
  reason       text not null,
  noticed_at   timestamptz not null default now(),
  primary key (writer_id, seq)
);

-- The ledger's history: days that are over, packed (src/ledger/README.md, "A day's life").

-- A slice is a stretch of one day: of each writer the blocks that follow those of the slice before. Its number orders the
-- reading of packs.
create table ledger_slice ( -- cell: its own
  slice_id      bigint generated always as identity primary key,
  day           date not null,
  -- `received_at` of its first and last block.
  from_at       timestamptz not null,
  to_at         timestamptz not null,
  event_count   int not null,
  -- Of its packs.
  bytes         bigint not null,
  -- Blocks that could not be read when they were packed; they lie in ledger_set_aside.
  set_aside     int not null
);
create index ledger_slice_day on ledger_slice (day);
create index ledger_slice_from on ledger_slice (from_at, slice_id);
create index ledger_slice_to on ledger_slice (to_at, slice_id);

-- Which blocks a slice took, of each of its writers.
create table ledger_slice_writer ( -- cell: its own
  slice_id      bigint not null,
  writer_id     int not null,
  first_seq     bigint not null,
  last_seq      bigint not null,
  primary key (writer_id, last_seq)
);
create index ledger_slice_writer_slice on ledger_slice_writer (slice_id);

-- The events of one bucket in one slice (src/ledger/pack.ts says what the three parts hold).
create table ledger_pack ( -- cell
  slice_id      bigint not null,
  bucket        smallint not null,
  event_count   int not null,
  players       bytea not null,
  heads         bytea not null,
  bodies        bytea not null,
  primary key (slice_id, bucket)
);
-- Packed already; a second compression by the server would cost time and save nothing.
alter table ledger_pack
  alter column players set storage external,
  alter column heads set storage external,
  alter column bodies set storage external;

-- Blocks as they were written that nobody could read when their day was packed. Readers try them again.
create table ledger_set_aside ( -- cell: its own
  slice_id      bigint not null,
  writer_id     int not null,
  seq           bigint not null,
  day           date not null,
  received_at   timestamptz not null,
  event_count   int not null,
  payload       bytea not null,
  primary key (writer_id, seq)
);
create index ledger_set_aside_slice on ledger_set_aside (slice_id);

-- Acknowledged events that can change what protects a player, and that derive has not applied yet (src/ledger/pending-protection.ts).
-- Written in the commit of the event's block, deleted in the transaction that applies the event and asks for its look-ups. While a
-- player has a row here, the gate holds every contact with the player (docs/decisions/1033). A player is named by the hash, because
-- the first event of a player is acknowledged before the player exists.
create table pending_protection ( -- cell
  bucket       smallint not null,
  -- The unsigned number of `playerHash`, read as a signed one.
  player_hash  bigint not null,
  -- Where the event stands in the ledger. Writer 0, which no connection ever is: it is number `seq` of the quarantine, and no batch will apply it.
  writer_id    int not null,
  seq          bigint not null,
  index        int not null,
  -- Of a quarantined event, so that its player is found without a scan.
  brand_id     int,
  user_id      text,
  primary key (bucket, player_hash, writer_id, seq, index)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index pending_protection_quarantined on pending_protection (bucket) where writer_id = 0;
-- ANALYZE keeps no sample of the hashes: one would outlive the erasure of its player.
alter table pending_protection alter column player_hash set statistics 0;
alter table pending_protection alter column user_id set statistics 0;

-- The `playerHash` of a player as tables keep it. A test holds it against the one that ingest computes.
create function player_hash_of(brand_id int, user_id text) returns bigint
  language sql stable strict parallel safe
  return ('x' || encode(substr(sha256(convert_to(brand_id::text || ':' || user_id, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
