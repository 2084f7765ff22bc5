-- What connected browsers must be told (src/channels/signals). Rows live for minutes: pruned by a chore.
create table site_signal (
  signal_id   bigint generated always as identity primary key,
  brand_id    int not null,
  player_id   bigint not null,
  kind        text not null check (kind in 
                ('arrived', 'read', 'deleted', 'withdrawn', 'session_ended', 'one_session_ended')),
  -- Null for ends of sessions.
  message_id  bigint,
  written_at  timestamptz not null default clock_timestamp(),
  -- The transaction that wrote it: what became visible between two polls is found by it, whatever the order of commits.
  written_by  xid8 not null default pg_current_xact_id()
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_insert_scale_factor = 0.5);
create index site_signal_written_by on site_signal (written_by);
-- For sessions that ended since a socket was opened, and for an erasure.
create index site_signal_player on site_signal (player_id, kind);
