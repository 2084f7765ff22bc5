-- Stage chores. How far the clock of each process is from the database's, as the process found last (chores/database-clock.ts).
-- A control table: processes belong to no player.
create table process_clock (
  process     text        primary key,
  -- Positive: the process is ahead.
  offset_ms   bigint      not null,
  -- By the database's clock.
  compared_at timestamptz not null
);
