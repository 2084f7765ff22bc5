-- Buckets: which worker applies the events of each bucket, and up to which event (src/buckets/README.md).

-- Worker processes. `beat` is a counter, not a time. Other processes measure on their own monotonic clock how long it has not
-- changed. So a clock that is set forward or back neither ends a living worker's leases nor keeps a dead worker's.
create table worker ( -- cell: its own
  worker_id   int generated always as identity primary key,
  process     text not null,
  started_at  timestamptz not null default now(),
  beat        bigint not null default 0,
  -- Whether the server showed connections of the process when it registered. Then their absence says that it has ended.
  seen        boolean not null default false
);

-- The lease of each bucket and the position up to which its events are derived. `fence` increases with every change of owner.
-- A transaction that applies events checks it together with the cursor, so a worker that lost the bucket writes nothing.
create table bucket ( -- cell
  bucket     smallint primary key,
  worker_id  int,
  fence      bigint not null default 0,
  cursor     jsonb
);
insert into bucket (bucket) select generate_series(0, 63);
