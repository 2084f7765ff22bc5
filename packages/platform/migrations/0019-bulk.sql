-- Bulk actions (src/bulk/README.md): one message or offer to every member of a segment.

create table bulk_action ( -- control
  action_id       int generated always as identity primary key,
  brand_id        int not null,
  segment_id      int not null,
  -- The code of the segment at the time of the order.
  segment_code    text not null,
  -- The content that each player gets (src/bulk/action.ts).
  does            json not null,
  -- Players per second.
  per_second      int not null check (per_second > 0),
  -- The caller's own key. A repeated order creates no second action.
  request_key     text,
  request_digest  text,
  created_at      timestamptz not null,
  created_by      text not null,
  cancelled_at    timestamptz,
  cancelled_by    text,
  unique (brand_id, request_key)
);
create index bulk_action_brand on bulk_action (brand_id, action_id);

-- Progress of an action. The worker that processes it locks the row.
create table bulk_progress ( -- cell: its own
  action_id    int primary key,
  brand_id     int not null,
  segment_id   int not null,
  -- src/bulk/action.ts shows the states.
  state        text not null check (state in ('gathering', 'running', 'done', 'cancelled')),
  -- Number of members listed so far, and the last of them.
  players      int not null default 0,
  after_id     bigint not null default 0,
  -- The next portion starts no earlier than this, which keeps the pace.
  next_at      timestamptz not null,
  -- Why the action currently waits, if it does.
  waits_for    text,
  -- Set while a cancelled action ends its unsent messages: the last player whose message was checked.
  ended_up_to  bigint,
  finished_at  timestamptz,
  -- The products of its messages, if they have some. In some markets, a message about products needs a consent for each product, also
  -- when it is sent (src/channels/products.ts).
  products     jsonb
);
create index bulk_progress_next on bulk_progress (next_at) where state in ('gathering', 'running') or ended_up_to is not null;

-- The members at the time of the order, and the outcome of each.
create table bulk_player ( -- cell
  player_id    bigint not null,
  action_id    int not null,
  state        text not null check (state in ('listed', 'waiting', 'sent', 'held', 'withheld', 'skipped', 'failed')),
  reason       text not null default '',
  -- When the player is due. Null once there is an outcome.
  due_at       timestamptz,
  message_id   bigint,
  intent_id    uuid,
  decision_id  bigint,
  at           timestamptz not null,
  primary key (player_id, action_id)
) with (fillfactor = 80);
create index bulk_player_due on bulk_player (action_id, due_at, player_id) where due_at is not null;
create index bulk_player_outcome on bulk_player (action_id, state, player_id);

-- Number of players by outcome. The counts stay when a player is erased.
create table bulk_count ( -- cell: its own
  action_id  int not null,
  state      text not null,
  reason     text not null,
  players    int not null,
  primary key (action_id, state, reason)
);
