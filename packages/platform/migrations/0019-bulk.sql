-- Bulk actions (src/bulk/README.md): one message or offer to every member of a segment.

create table bulk_action ( -- control
  action_id       int generated always as identity primary key,
  brand_id        int not null,
  segment_id      int not null,
  -- Of the segment when it was ordered.
  segment_code    text not null,
  -- What each player gets: src/bulk/action.ts.
  does            json not null,
  -- Players per second.
  per_second      int not null check (per_second > 0),
  -- The caller's own key: a repeated order makes no second action.
  request_key     text,
  request_digest  text,
  created_at      timestamptz not null,
  created_by      text not null,
  cancelled_at    timestamptz,
  cancelled_by    text,
  unique (brand_id, request_key)
);
create index bulk_action_brand on bulk_action (brand_id, action_id);

-- How far an action is. Locked by who works on it.
create table bulk_progress ( -- cell: its own
  action_id    int primary key,
  brand_id     int not null,
  segment_id   int not null,
  -- src/bulk/action.ts has the picture.
  state        text not null check (state in ('gathering', 'running', 'done', 'cancelled')),
  -- Members listed so far, and the last of them.
  players      int not null default 0,
  after_id     bigint not null default 0,
  -- No portion before this moment: the pace.
  next_at      timestamptz not null,
  -- Why nothing moves at the moment, if something is in the way.
  waits_for    text,
  finished_at  timestamptz
);
create index bulk_progress_next on bulk_progress (next_at) where state in ('gathering', 'running');

-- The members at the time of the order, and what came of each.
create table bulk_player ( -- cell
  player_id    bigint not null,
  action_id    int not null,
  state        text not null check (state in ('listed', 'waiting', 'sent', 'held', 'withheld', 'skipped', 'failed')),
  reason       text not null default '',
  -- When it is this player's turn. Null: the outcome is there.
  due_at       timestamptz,
  message_id   bigint,
  intent_id    uuid,
  decision_id  bigint,
  at           timestamptz not null,
  primary key (player_id, action_id)
) with (fillfactor = 80);
create index bulk_player_due on bulk_player (action_id, due_at, player_id) where due_at is not null;
create index bulk_player_outcome on bulk_player (action_id, state, player_id);

-- Players by outcome. They stay when a player is erased.
create table bulk_count ( -- cell: its own
  action_id  int not null,
  state      text not null,
  reason     text not null,
  players    int not null,
  primary key (action_id, state, reason)
);
