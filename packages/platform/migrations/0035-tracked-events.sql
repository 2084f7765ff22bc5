-- Events that the page of a player tracks (src/site/player/README.md).

-- What a call was given as its time, so that the same call repeated is the same event: an event is known by its body, and the
-- time is part of it. Kept a day. The event itself is in the ledger.
create table site_tracked (
  player_id   bigint not null,
  -- Chosen by the page.
  event_id    text not null,
  -- SHA-256 of name and data: the same id with another content is a mistake of the page, and must not pass for a repeat.
  digest      bytea not null,
  at          timestamptz not null,
  primary key (player_id, event_id)
);
create index site_tracked_at on site_tracked (at);
