-- What players see on the site (src/channels/notifications/README.md).

create sequence notification_message_id;

-- One row per message, for life. `state` and what follows it are the machine's position (src/channels/notifications/notification.ts).
create table notification (
  -- The MessageId of the notification API. Taken from its sequence before the gate is asked, whose records name it.
  message_id        bigint primary key,
  brand_id          int not null,
  player_id         bigint not null,
  channel           text not null check (channel in ('site', 'push')),
  purpose           text not null check (purpose in ('marketing', 'service')),
  event             text not null check (event in ('message', 'shoutout', 'inbox')),
  display_type      text not null check (display_type in ('silent', 'push')),
  title             text not null,
  -- HTML, sanitised before it was stored; so is footer_text.
  message           text not null,
  preview_text      text not null,
  footer_text       text not null,
  -- json, not jsonb: it passes through as it came, with its order of keys and every digit of its numbers.
  data              json not null,
  cta_button_link   text not null,
  cta_button_text   text not null,
  cta_button2_link  text not null,
  cta_button2_text  text not null,
  image_url         text not null,
  campaign_id       text,
  created_at        timestamptz not null,
  created_by        text not null,
  -- infinity: never. Not null, so that "not expired" is a condition that an index can answer.
  expires_at        timestamptz not null default 'infinity',

  state             text not null check (state in ('held', 'withheld', 'dropped', 'live', 'deleted', 'withdrawn', 'expired')),
  reason            text,
  state_since       timestamptz not null,
  -- The decision of the gate that stands, of the contact's own channel.
  decision_id       bigint,
  live_at           timestamptz,
  read_at           timestamptz,
  -- Who recalled it; null where nobody did.
  ended_by          text,
  -- Of a held one: when the gate is asked again, by the database's clock.
  due_at            timestamptz,
  -- Which of the four lists of a player it stands in: 1 is unread, 2 is of the inbox.
  shelf             smallint not null generated always as
                      ((case when read_at is null then 1 else 0 end) + (case when event = 'inbox' then 2 else 0 end)) stored,
  check ((due_at is not null) = (state = 'held')),
  check ((live_at is not null) or state in ('held', 'withheld', 'dropped'))
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- What the site asks for. A list is a merge of the newest of one, two or four shelves, so a call reads no more rows than four pages
-- have, however many messages the player has, read or unread. The minus makes this the only index in the order of the lists:
-- a planner with old statistics cannot take a longer way.
create index notification_site on notification (player_id, shelf, (-message_id), expires_at) where state = 'live';
-- What the console asks for; each list is a merge of the states it wants.
create index notification_player on notification (player_id, state, message_id);
create index notification_brand on notification (brand_id, state, message_id);
create index notification_campaign on notification (brand_id, campaign_id, state, message_id) where campaign_id is not null;
-- What falls due.
create index notification_held on notification (due_at) where state = 'held';
create index notification_expiry on notification (expires_at) where state = 'live' and expires_at < 'infinity';

-- Keys of requests, so that a repeated one makes no second message.
create table notification_request (
  brand_id        int not null,
  request_key     text not null,
  request_digest  text not null,
  message_id      bigint not null,
  player_id       bigint not null,
  primary key (brand_id, request_key)
);
create index notification_request_player on notification_request (player_id);

-- Recalls of campaigns: how far each has come. It takes messages up to `up_to`, those held first, then those live.
create table notification_recall (
  recall_id     bigint generated always as identity primary key,
  brand_id      int not null,
  campaign_id   text not null,
  up_to         bigint not null,
  phase         text not null default 'held' check (phase in ('held', 'live', 'done')),
  -- Message ids up to here are done, in this phase.
  position      bigint not null default 0,
  -- Taken out of inboxes; given up before they were shown.
  withdrawn     bigint not null default 0,
  dropped       bigint not null default 0,
  requested_at  timestamptz not null,
  requested_by  text not null,
  finished_at   timestamptz
);
create index notification_recall_open on notification_recall (brand_id, campaign_id) where phase <> 'done';
create index notification_recall_brand on notification_recall (brand_id, recall_id);

-- Unread marketing of players who are protected now, as far as it is not withdrawn yet. Rows go when their work is done.
create table notification_withdrawal (
  withdrawal_id  bigint generated always as identity primary key,
  brand_id       int not null,
  player_id      bigint not null,
  -- Only messages below this id are left to look at. Null: all.
  below          bigint,
  due_at         timestamptz not null
);
create index notification_withdrawal_due on notification_withdrawal (due_at);
create index notification_withdrawal_player on notification_withdrawal (player_id);
