-- The difference between the clock of each process and the database's clock, as last measured (chores/database-clock.ts). Each
-- cell has its own rows, because it has its own clock.
create table process_clock ( -- cell: its own
  process     text        primary key,
  -- Positive: the process is ahead.
  offset_ms   bigint      not null,
  -- By the database's clock.
  compared_at timestamptz not null
);
