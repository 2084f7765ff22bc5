-- Web Push: each brand's keys, the devices that players subscribed, what is sent to them (src/channels/push/README.md).

-- One pair per brand, made once: devices subscribe with the public one, and take pushes of no other.
create table push_key (
  brand_id    int primary key,
  public_key  text not null,
  -- The private one, readable with CROUPIER_SECRET only.
  sealed      bytea not null,
  created_at  timestamptz not null
);

create table push_subscription (
  subscription_id  bigint generated always as identity primary key,
  brand_id         int not null,
  player_id        bigint not null,
  -- SHA-256 of the endpoint: a device that another player signs in on moves, it is never there twice.
  endpoint_hash    bytea not null,
  -- {endpoint, p256dh, auth}, readable with CROUPIER_SECRET only: whoever knows an endpoint may try to push to it.
  sealed           bytea not null,
  -- Of the endpoint: whose slots a push takes, and what people are shown of it.
  host             text not null,
  -- The session that confirmed it last (site: Caller.sid_hash); null: it was proved by a JWT.
  sid_hash         text,
  created_at       timestamptz not null,
  seen_at          timestamptz not null,
  unique (brand_id, endpoint_hash)
);
create index push_subscription_player on push_subscription (player_id, seen_at);

-- One row per message and device, written in the transaction that shows the message (src/channels/push/delivery.ts).
create table push_delivery (
  delivery_id      bigint generated always as identity primary key,
  brand_id         int not null,
  player_id        bigint not null,
  message_id       bigint not null,
  -- Null: the player had no device.
  subscription_id  bigint,
  host             text,
  state            text not null check (state in ('waiting', 'sending', 'sent', 'unknown', 'dropped', 'failed')),
  reason           text,
  -- What the push service, or the network, said last.
  status           int,
  detail           text,
  -- Calls begun.
  attempts         int not null default 0,
  created_at       timestamptz not null,
  -- Nothing is sent after it.
  expires_at       timestamptz not null,
  -- By the database's clock. Waiting: when it is looked at. Sending: when the call counts as lost.
  due_at           timestamptz,
  claim            bigint,
  sent_at          timestamptz,
  ended_at         timestamptz,
  clicked_at       timestamptz,
  unique nulls not distinct (message_id, subscription_id),
  check ((due_at is null) = (state not in ('waiting', 'sending')))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index push_delivery_due on push_delivery (host, due_at) where state = 'waiting';
create index push_delivery_sending on push_delivery (due_at) where state = 'sending';
create index push_delivery_waiting_device on push_delivery (subscription_id) where state = 'waiting';
create index push_delivery_player on push_delivery (player_id, delivery_id);
create index push_delivery_brand on push_delivery (brand_id, delivery_id);
create index push_delivery_ended on push_delivery (ended_at) where ended_at is not null;

create sequence push_delivery_claim;
