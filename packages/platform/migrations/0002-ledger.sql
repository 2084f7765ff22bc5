-- The ledger: the blocks of events that api processes committed, and the positions of their readers (src/ledger/README.md).

-- One row per committing connection of an api process. A lost connection is never used again; its successor is a new writer.
-- So the blocks of a writer commit in the order of their numbers, and a reader that has seen block n has seen all blocks
-- before it.
create table ledger_writer ( -- cell: its own
  writer_id   int generated always as identity primary key,
  process     text not null,
  opened_at   timestamptz not null default now(),
  -- The number of the last block, set once the writer's connection is known to be closed. Readers that are past it drop the
  -- writer.
  closed_seq  bigint,
  -- The last packed block. Days are packed oldest first, and the day of a writer never decreases, so all earlier blocks are
  -- packed too. Readers find events up to `packed_seq` in packs (or they were dropped), and later ones in blocks. This one
  -- number decides, so a crash or a concurrent reader sees a block in exactly one of the two forms.
  packed_seq  bigint not null default 0,
  packed_day  date
);

create table ledger_block ( -- cell: its own
  writer_id    int not null,
  seq          bigint not null,
  -- UTC day by the writer's clock. It never decreases within a writer. The table is partitioned by it.
  day          date not null,
  received_at  timestamptz not null,
  event_count  int not null,
  -- Bit b is set if the block has an event of bucket b. Readers of other buckets skip the payload.
  bucket_mask  bigint not null,
  brand_ids    int[] not null,
  payload      bytea not null,
  primary key (writer_id, seq, day)
) partition by range (day);
-- The writer compresses blocks where that saves space. A second compression by the server would cost time and save nothing.
alter table ledger_block alter column payload set storage external;
create index ledger_block_received on ledger_block (received_at);

-- Blocks that a reader skipped because it could not unpack them. Their events are kept but not derived.
create table ledger_damage ( -- cell: its own
  writer_id    int not null,
  seq          bigint not null,
  event_count  int not null,
  reason       text not null,
  noticed_at   timestamptz not null default now(),
  primary key (writer_id, seq)
);

-- The ledger's history: days that are over, packed (src/ledger/README.md, "A day's life").

-- A slice is a part of one day. For each writer, it has the blocks that follow those of the previous slice. Packs are read in
-- the order of slice numbers.
create table ledger_slice ( -- cell: its own
  slice_id      bigint generated always as identity primary key,
  day           date not null,
  -- `received_at` of the first and last block.
  from_at       timestamptz not null,
  to_at         timestamptz not null,
  event_count   int not null,
  -- Size of all packs of the slice.
  bytes         bigint not null,
  -- Number of blocks that could not be read when the day was packed. They are in ledger_set_aside.
  set_aside     int not null
);
create index ledger_slice_day on ledger_slice (day);
create index ledger_slice_from on ledger_slice (from_at, slice_id);
create index ledger_slice_to on ledger_slice (to_at, slice_id);

-- The blocks in a slice, for each writer.
create table ledger_slice_writer ( -- cell: its own
  slice_id      bigint not null,
  writer_id     int not null,
  first_seq     bigint not null,
  last_seq      bigint not null,
  primary key (writer_id, last_seq)
);
create index ledger_slice_writer_slice on ledger_slice_writer (slice_id);

-- The events of one bucket in one slice. src/ledger/pack.ts describes the three parts.
create table ledger_pack ( -- cell
  slice_id      bigint not null,
  bucket        smallint not null,
  event_count   int not null,
  players       bytea not null,
  heads         bytea not null,
  bodies        bytea not null,
  primary key (slice_id, bucket)
);
-- The parts are already packed. A second compression by the server would cost time and save nothing.
alter table ledger_pack
  alter column players set storage external,
  alter column heads set storage external,
  alter column bodies set storage external;

-- Blocks that could not be read when their day was packed, unchanged. Readers try them again.
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

-- Acknowledged events that can change a player's protection and that derive has not applied yet
-- (src/ledger/pending-protection.ts). The commit of the event's block writes the row. The transaction that applies the event
-- and requests its look-ups deletes it. While a player has a row here, the gate holds every contact with the player
-- (docs/decisions/1033). The row identifies the player by a hash, because the first event of a player is acknowledged before
-- the player exists.
create table pending_protection ( -- cell
  bucket       smallint not null,
  -- `playerHash`, an unsigned number, stored as a signed one.
  player_hash  bigint not null,
  -- The position of the event in the ledger. Writer 0 does not exist: with it, `seq` is the number of a quarantined event,
  -- which no batch will apply.
  writer_id    int not null,
  seq          bigint not null,
  index        int not null,
  -- Set for a quarantined event, so that its player is found without a scan.
  brand_id     int,
  user_id      text,
  primary key (bucket, player_hash, writer_id, seq, index)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index pending_protection_quarantined on pending_protection (bucket) where writer_id = 0;
-- Statistics are off for the hashes, because ANALYZE would keep samples that outlive the erasure of their player.
alter table pending_protection alter column player_hash set statistics 0;
alter table pending_protection alter column user_id set statistics 0;

-- The `playerHash` of a player, computed by the database. A test compares it with the hash that ingest computes.
create function player_hash_of(brand_id int, user_id text) returns bigint
  language sql stable strict parallel safe
  return ('x' || encode(substr(sha256(convert_to(brand_id::text || ':' || user_id, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
