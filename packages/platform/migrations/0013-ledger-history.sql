-- The ledger's history: days that are over, packed (src/ledger/README.md, "A day's life").

-- How far a writer's blocks are packed: always a beginning of them, because days are packed oldest first and the day of a
-- writer never falls. Up to `packed_seq` readers find its events in packs (or they were dropped), after it in blocks.
-- This one number decides, so a crash or a concurrent reader sees a block in exactly one of the two forms.
alter table ledger_writer
  add column packed_seq bigint not null default 0,
  add column packed_day date;

-- A slice is a stretch of one day: of each writer the blocks that follow those of the slice before. Its number orders the
-- reading of packs.
create table ledger_slice (
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
create table ledger_slice_writer (
  slice_id      bigint not null,
  writer_id     int not null,
  first_seq     bigint not null,
  last_seq      bigint not null,
  primary key (writer_id, last_seq)
);
create index ledger_slice_writer_slice on ledger_slice_writer (slice_id);

-- The events of one bucket in one slice (src/ledger/pack.ts says what the three parts hold).
create table ledger_pack (
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
create table ledger_set_aside (
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
