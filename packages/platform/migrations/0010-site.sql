-- Sessions on the site (src/site/session/README.md).

-- Numbers the ends of sessions in one sequence over all players. A session is over if it was admitted before an end that
-- concerns it.
create sequence site_session_end_no;

-- The last end of all sessions of a player (sid_hash '': the operator's logout, or an exclusion), and the ends of single
-- sessions (a logout on the site). The end of a single session is deleted when all tokens of that session have expired.
create table site_session_end ( -- cell
  player_id  bigint not null,
  -- SHA-256 of the brand and the sid, base64url.
  sid_hash   text not null,
  brand_id   int not null,
  end_no     bigint not null,
  -- The operator's own time of its logout, otherwise the platform's. JWTs are compared with it.
  ended_at   timestamptz not null,
  -- The transaction that wrote the row. Numbers are assigned before the commit. So only the snapshot of a call to the operator
  -- shows whether an end was visible at that time, not the numbers (src/site/session/end-store.ts).
  written_by  xid8 not null default pg_current_xact_id(),
  primary key (player_id, sid_hash)
);
create index site_session_end_single on site_session_end (ended_at) where sid_hash <> '';

-- Events that a player's page tracks (src/site/player/README.md).

-- The time that was assigned to a call. An event is identified by its body, which includes the time, so a repeated call must
-- get the same time. Rows are kept for a day. The event itself is in the ledger.
create table site_tracked ( -- cell
  player_id   bigint not null,
  -- Chosen by the page.
  event_id    text not null,
  -- SHA-256 of name and data. If the same id arrives with different content, the call is refused, because it is not a repeat.
  digest      bytea not null,
  at          timestamptz not null,
  primary key (player_id, event_id)
);
create index site_tracked_at on site_tracked (at);
