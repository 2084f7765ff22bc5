-- Stage buckets: who applies the events of a bucket, and how far (src/buckets/README.md).

-- Worker processes. `beat` is a counter, not a time: others measure on their own monotonic clock how long it has not
-- moved, so that a step of any clock neither kills a worker nor keeps a dead one alive.
create table worker ( -- cell: its own
  worker_id   int generated always as identity primary key,
  process     text not null,
  started_at  timestamptz not null default now(),
  beat        bigint not null default 0
);

-- The lease of each bucket and how far its events are derived. `fence` grows with every change of owner; a transaction
-- that applies events checks it together with the cursor, so a worker that lost the bucket writes nothing.
create table bucket ( -- cell
  bucket     smallint primary key,
  worker_id  int,
  fence      bigint not null default 0,
  cursor     jsonb
);
insert into bucket (bucket) select generate_series(0, 63);
