-- Sessions on the site (src/site/session/README.md).

-- Ends of sessions, numbered in one line over all players: whatever was admitted after fewer ends than concern it is over.
create sequence site_session_end_no;

-- The last end of all sessions of a player (sid_hash '': the operator's logout, an exclusion), and of single ones (a logout on
-- the site). Those of single ones go once every token of theirs has run out.
create table site_session_end (
  player_id  bigint not null,
  -- SHA-256 of the brand and the sid, base64url.
  sid_hash   text not null,
  brand_id   int not null,
  end_no     bigint not null,
  -- The operator's own time of its logout; ours otherwise. JWTs are compared with it.
  ended_at   timestamptz not null,
  primary key (player_id, sid_hash)
);
create index site_session_end_single on site_session_end (ended_at) where sid_hash <> '';
