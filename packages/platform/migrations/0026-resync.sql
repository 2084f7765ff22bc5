-- Circuits as others see them (src/operator/health/circuit-store.ts), and runs of re-synchronisation
-- (src/operator/resync/README.md).

-- Circuits that hold calls back, as each process told them last. Closed ones have no row; a row that has not been told again for
-- some seconds is a dead process's.
create table operator_circuit (
  brand_id      int not null,
  endpoint      text not null,
  process       text not null,
  state         text not null check (state in ('open', 'probing', 'paused')),
  open_since    timestamptz,
  next_call_at  timestamptz,
  reported_at   timestamptz not null,
  primary key (brand_id, endpoint, process)
);

-- One row per run, for ever. The states are drawn in src/operator/resync/run.ts.
create table resync (
  resync_id       bigint generated always as identity primary key,
  brand_id        int not null,
  state           text not null check (state in ('asking', 'answering', 'paused', 'done', 'cancelled')),
  -- Whom: conditions in the words of src/operator/resync/filter.ts; {} is the whole brand.
  filter          jsonb not null,
  -- These players alone, in the order of their number; null: all that fit the filter.
  player_ids      bigint[],
  look_ups        text[] not null,
  -- null: the setting operator.resync_per_second, as it is at each step.
  per_second      int check (per_second > 0),
  requested_by    text not null,
  requested_at    timestamptz not null,
  started_at      timestamptz,
  asked_all_at    timestamptz,
  finished_at     timestamptz,
  -- The last player that was looked at, and the last one there was at the start: who comes later is looked up anyway.
  position        bigint not null default 0,
  last_player_id  bigint,
  -- Up to when the pace has been used.
  paced_to        timestamptz,
  -- Players that fit; null until the first step has counted them.
  total           bigint,
  -- Look-ups.
  asked           bigint not null default 0,
  answered        bigint not null default 0,
  failed          bigint not null default 0
) with (fillfactor = 50);
-- One run at a time per brand, be it paused.
create unique index resync_active on resync (brand_id) where state in ('asking', 'answering', 'paused');
create index resync_list on resync (brand_id, resync_id);

-- Look-ups that were asked for and have neither been answered nor failed for good: a few thousand at most.
create table resync_open (
  resync_id  bigint not null,
  player_id  bigint not null,
  look_up    text not null,
  -- The request of player_sync that must be answered.
  request    bigint not null,
  primary key (resync_id, player_id, look_up)
);
-- An erasure takes the player's.
create index resync_open_player on resync_open (player_id);
