-- Hosted pages: how players unsubscribed (src/hosted/README.md).

-- One row per press of "stop", written together with the change of consents. It proves what a player pressed and when. After a
-- second press, the confirmation shows the first one again.
create table unsubscription ( -- cell
  -- The change_id of write_back_item.
  change_id    bigint primary key,
  brand_id     int not null,
  player_id    bigint not null,
  at           timestamptz not null,
  -- The channel of the link, and whether the player pressed the button of the page or a mail program made the call (RFC
  -- 8058).
  channel      text not null,
  way          text not null check (way in ('page', 'one_click')),
  stopped      text[] not null,
  -- The consents that were on and that an undo may restore.
  restorable   text[] not null,
  undone_at    timestamptz,
  check (change_id & 63 = player_id & 63)
);
create index unsubscription_player on unsubscription (player_id, change_id);
