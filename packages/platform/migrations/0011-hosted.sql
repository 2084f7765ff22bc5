-- Hosted pages: how players left channels (src/hosted/README.md).

-- One row per press of "stop", written with the change of consents that it made. What the confirmation shows again when
-- somebody presses twice, and the proof of what a player pressed, and when.
create table unsubscription ( -- cell
  -- That of write_back_item.
  change_id    bigint primary key,
  brand_id     int not null,
  player_id    bigint not null,
  at           timestamptz not null,
  -- The channel of the link, and whether the page was pressed or a mail program did it (RFC 8058).
  channel      text not null,
  way          text not null check (way in ('page', 'one_click')),
  stopped      text[] not null,
  -- Those that were on: what an undo may bring back.
  restorable   text[] not null,
  undone_at    timestamptz,
  check (change_id & 63 = player_id & 63)
);
create index unsubscription_player on unsubscription (player_id, change_id);
