-- Stage chores. How far the clock of each process is from the database's, as the process found last (chores/database-clock.ts).
-- Of each cell, whose clock it is compared with.
create table process_clock ( -- cell: its own
  process     text        primary key,
  -- Positive: the process is ahead.
  offset_ms   bigint      not null,
  -- By the database's clock.
  compared_at timestamptz not null
);
