-- Sessions on the site (src/site/session/README.md).

-- Ends of sessions, numbered in one line over all players: whatever was admitted after fewer ends than concern it is over.
create sequence site_session_end_no;

-- The last end of all sessions of a player (sid_hash '': the operator's logout, an exclusion), and of single ones (a logout on
-- the site). Those of single ones go once every token of theirs has run out.
create table site_session_end ( -- cell
  player_id  bigint not null,
  -- SHA-256 of the brand and the sid, base64url.
  sid_hash   text not null,
  brand_id   int not null,
  end_no     bigint not null,
  -- The operator's own time of its logout; ours otherwise. JWTs are compared with it.
  ended_at   timestamptz not null,
  -- The transaction that wrote it. Numbers are given before the commit, so whether an end was there when an operator was asked about
  -- a sid is told by the snapshot of that moment, not by numbers (src/site/session/end-store.ts).
  written_by  xid8 not null default pg_current_xact_id(),
  primary key (player_id, sid_hash)
);
create index site_session_end_single on site_session_end (ended_at) where sid_hash <> '';

-- Events that the page of a player tracks (src/site/player/README.md).

-- What a call was given as its time, so that the same call repeated is the same event: an event is known by its body, and the
-- time is part of it. Kept a day. The event itself is in the ledger.
create table site_tracked ( -- cell
  player_id   bigint not null,
  -- Chosen by the page.
  event_id    text not null,
  -- SHA-256 of name and data: the same id with another content is a mistake of the page, and must not pass for a repeat.
  digest      bytea not null,
  at          timestamptz not null,
  primary key (player_id, event_id)
);
create index site_tracked_at on site_tracked (at);
