-- What becomes of old events and of what was derived from them (src/derive/history/README.md).

-- The same tables as in `live`, holding the state that the events of all dropped ledger days make. They are made from those of
-- `live` before the first day is sealed (src/derive/history/baseline.ts). So a later migration that changes a table of `live` makes
-- the same change here: `alter table if exists baseline.<name> ...`.
create schema baseline;

-- Events older than their brand's history wait among the parked ones, for a person instead of a time.
alter table parked_event drop constraint parked_event_cause_check;
alter table parked_event add constraint parked_event_cause_check check (cause in ('unreadable', 'failing', 'too_old'));
-- Null: not before a person imports it.
alter table parked_event alter column retry_at drop not null;
-- The event's own timestamp; null when it cannot be read.
alter table parked_event add column at timestamptz;
-- The ledger day that is being sealed without this too-old event: it cannot be imported any more.
alter table parked_event add column lapses_with date;
create index parked_event_too_old on parked_event (brand_id, received_at desc, writer_id desc, seq desc, index desc)
  where cause = 'too_old';
create index parked_event_lapsed on parked_event (lapses_with) where lapses_with is not null;

-- The oldest moment that events have met which came more than two days after it, by player and UTC day of their receipt: as long as
-- the ledger keeps them, facts from there on are not removed (src/derive/history/prune.ts).
create table late_event (
  player_id  bigint not null,
  day        date not null,
  oldest_at  timestamptz not null,
  primary key (player_id, day)
);
create index late_event_day on late_event (day);

-- Ledger days whose effect is, or is being, kept in the baseline.
create table sealed_day (
  day         date primary key,
  state       text not null check (state in ('sealing', 'held', 'sealed', 'dropped')),
  -- Why it is held.
  reason      text,
  events      bigint not null default 0,
  since       timestamptz not null,
  dropped_at  timestamptz
);

-- Per brand: facts that are kept for the history and older than this are removed, or about to be.
create table pruned_fact (
  brand_id   int primary key,
  pruned_to  timestamptz not null
);

-- A rebuild may wait for a worker, tells how far it has come, and can be cancelled from any process.
alter table rebuild alter column started_at drop not null;
alter table rebuild add column requested_at timestamptz not null default now();
alter table rebuild add column phase text not null default 'waiting'
  check (phase in ('waiting', 'copying', 'recomputing', 'comparing', 'over'));
alter table rebuild add column buckets_done int not null default 0;
alter table rebuild add column buckets_of int not null default 0;
alter table rebuild add column swapped bigint not null default 0;
alter table rebuild add column longest_pause_ms int not null default 0;
alter table rebuild add column cancel_requested boolean not null default false;
-- Events that could not be applied anew, and days whose roll-up is not the sum of its players; the first of them.
alter table rebuild add column failures jsonb not null default '[]';
alter table rebuild add column rollup_differences jsonb not null default '[]';
update rebuild set requested_at = started_at, phase = case when outcome is null then phase else 'over' end;
create index rebuild_open on rebuild (rebuild_id) where outcome is null;
-- By table the rows that only one side has, for the first players of a rebuild that differ: {"payment": {"live": [...], "rebuilt": [...]}}
alter table rebuild_difference add column rows jsonb;

-- Dates of rounds that are no longer kept (src/derive/totals/floor.ts).
create table live.casino_floor (
  player_id     bigint not null,
  vendor_id     text not null,
  game_id       text not null,
  bet_first_at  timestamptz,
  bet_last_at   timestamptz,
  win_first_at  timestamptz,
  win_last_at   timestamptz,
  primary key (player_id, vendor_id, game_id)
);
