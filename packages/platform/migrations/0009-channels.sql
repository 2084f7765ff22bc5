-- What players see on the site (src/channels/notifications/README.md).

create sequence notification_number;

-- One row per message, for life. `state` and what follows it are the machine's position (src/channels/notifications/notification.ts).
create table notification ( -- cell
  -- The MessageId of the notification API: id_in_bucket of the sequence and the player, taken before the gate is asked, whose
  -- records name it.
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
  -- What the player's screen told of it, each the first time: five facts of which none stands for another, but that a click is also
  -- reading. `closed`: by its x, Escape or the fog around it. Deleted is the state of that name, since state_since.
  shown_at          timestamptz,
  read_at           timestamptz,
  clicked_at        timestamptz,
  closed_at         timestamptz,
  -- Who recalled it; null where nobody did.
  ended_by          text,
  -- Of a held one: when the gate is asked again, by the database's clock.
  due_at            timestamptz,
  -- Which of the five lists of a player it stands in. Of modals and banners: 0 read, 1 unread, 4 unread and closed, so not shown again by
  -- itself. Of the inbox: 2 read, 3 unread.
  shelf             smallint not null generated always as
                      (case when event = 'inbox' then case when read_at is null then 3 else 2 end
                            when read_at is not null then 0 when closed_at is null then 1 else 4 end) stored,
  check (message_id & 63 = player_id & 63),
  check ((due_at is not null) = (state = 'held')),
  check ((live_at is not null) or state in ('held', 'withheld', 'dropped'))
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- What the site asks for. A list is a merge of the newest of one to five shelves, so a call reads no more rows than five pages
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
-- Of a brand, those at their end, the longest first (src/channels/notifications/old.ts).
create index notification_ended on notification (brand_id, state_since) where state not in ('held', 'live');

-- Keys of requests, so that a repeated one makes no second message.
create table notification_request ( -- cell
  brand_id        int not null,
  request_key     text not null,
  request_digest  text not null,
  message_id      bigint not null,
  player_id       bigint not null,
  -- By its age a key is forgotten (src/channels/notifications/old.ts).
  made_at         timestamptz not null default now(),
  primary key (player_id, request_key)
);
create index notification_request_made on notification_request (made_at);

-- Recalls of campaigns: how far each has come. It takes messages up to `up_to`, those held first, then those live.
create table notification_recall ( -- cell: its own
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
create table notification_withdrawal ( -- cell
  number         bigint generated always as identity,
  withdrawal_id  bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id       int not null,
  player_id      bigint not null,
  -- Only messages below this id are left to look at. Null: all.
  below          bigint,
  due_at         timestamptz not null
);
create index notification_withdrawal_due on notification_withdrawal (due_at);
create index notification_withdrawal_player on notification_withdrawal (player_id);

-- What connected browsers must be told (src/channels/signals). Rows live for minutes: pruned by a chore.
create table site_signal ( -- cell
  number      bigint generated always as identity,
  signal_id   bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id    int not null,
  player_id   bigint not null,
  kind        text not null check (kind in 
                ('arrived', 'read', 'closed', 'deleted', 'withdrawn', 'list_again', 'session_ended', 'one_session_ended')),
  -- Null for what is about no single message.
  message_id  bigint,
  written_at  timestamptz not null default clock_timestamp(),
  -- The transaction that wrote it: what became visible between two polls is found by it, whatever the order of commits.
  written_by  xid8 not null default pg_current_xact_id()
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_insert_scale_factor = 0.5);
create index site_signal_written_by on site_signal (written_by);
-- For sessions that ended since a socket was opened, and for an erasure.
create index site_signal_player on site_signal (player_id, kind);

-- Web Push: each brand's keys, the devices that players subscribed, what is sent to them (src/channels/push/README.md).

-- Pairs of each brand: devices subscribe with the public one, and take pushes of no other. A pair can be replaced
-- (src/channels/push/vapid.ts); a device stays with the pair that it subscribed with.
create table push_key ( -- control
  key_id       bigint generated always as identity primary key,
  brand_id     int not null,
  public_key   text not null,
  -- The private one, readable with CROUPIER_SECRET only.
  sealed       bytea not null,
  created_at   timestamptz not null,
  -- Null: the pair that devices subscribe with now.
  replaced_at  timestamptz,
  -- Nothing is signed with it any more, and its devices go.
  revoked_at   timestamptz,
  unique (brand_id, public_key),
  check (revoked_at is null or replaced_at is not null)
);
create unique index push_key_current on push_key (brand_id) where replaced_at is null;

create table push_subscription ( -- cell
  number           bigint generated always as identity,
  subscription_id  bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id         int not null,
  player_id        bigint not null,
  -- SHA-256 of the endpoint: a device that another player signs in on moves, it is never there twice.
  endpoint_hash    bytea not null,
  -- {endpoint, p256dh, auth}, readable with CROUPIER_SECRET only: whoever knows an endpoint may try to push to it.
  sealed           bytea not null,
  -- Of the endpoint: whose slots a push takes, and what people are shown of it.
  host             text not null,
  -- The session that confirmed it last (site: Caller.sid_hash). It names the session whatever its credential was, the brand's JWT
  -- included, and is never null.
  sid_hash         text,
  -- The pair that it subscribed with.
  key_id           bigint not null,
  created_at       timestamptz not null,
  seen_at          timestamptz not null,
  unique (brand_id, endpoint_hash)
);
create index push_subscription_player on push_subscription (player_id, seen_at);
create index push_subscription_key on push_subscription (key_id, subscription_id);

-- One row per message and device, written in the transaction that shows the message (src/channels/push/delivery.ts).
create table push_delivery ( -- cell
  number           bigint generated always as identity,
  delivery_id      bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
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

-- Templates: what messages say, per language (src/channels/templates/README.md).
create table template ( -- control
  template_id  bigint generated always as identity primary key,
  brand_id     int not null,
  code         text not null,
  channel      text not null check (channel in ('site', 'push', 'email', 'sms', 'webhook', 'operator', 'telephone', 'post_mail', 'block')),
  -- The version in use; 0 within the transaction that makes the first.
  version      int not null,
  created_at   timestamptz not null,
  -- Its versions stay, for whoever asks what was sent.
  deleted_at   timestamptz
);
create unique index template_code on template (brand_id, code collate "C") where deleted_at is null;

-- Versions never change.
create table template_version ( -- control
  template_id  bigint not null references template,
  version      int not null,
  name         text not null,
  purpose      text not null check (purpose in ('marketing', 'service')),
  -- {language: {field: text}}; json, so that languages and fields stay in their order.
  content      json not null,
  created_at   timestamptz not null,
  created_by   text not null,
  primary key (template_id, version)
);

-- E-mails (src/channels/email/README.md). One row per message, for life; the address is read when it is sent, and kept nowhere here.
create table email_message ( -- cell
  -- id_in_bucket of notification_number and the player: one number names one message, whatever its channel.
  message_id        bigint primary key,
  brand_id          int not null,
  player_id         bigint not null,
  purpose           text not null check (purpose in ('marketing', 'service')),
  campaign_id       text,
  template_code        text,
  version_of_template  int,
  language             text,
  subject           text not null,
  html              text not null,
  plain             text not null,
  created_at        timestamptz not null,
  created_by        text not null,
  -- A repeated request makes no second message.
  request_key       text,
  request_digest    text,
  -- Nothing is sent after it.
  expires_at        timestamptz not null,

  state             text not null check (state in ('waiting', 'sending', 'sent', 'unknown', 'withheld', 'dropped', 'failed')),
  reason            text,
  -- What the server said last, or why the call failed.
  status            int,
  detail            text,
  -- Calls begun.
  attempts          int not null default 0,
  decision_id       bigint,
  -- By the database's clock. Waiting: when it is looked at. Sending: when the call counts as lost.
  due_at            timestamptz,
  claim             bigint,
  -- Keyed hash of the address that it went to: a bounce is about that one, whatever the player's address is by then.
  address_key       bytea,
  sent_at           timestamptz,
  ended_at          timestamptz,
  -- Who recalled it; null where nobody did.
  ended_by          text,
  check (message_id & 63 = player_id & 63),
  check ((due_at is null) = (state not in ('waiting', 'sending')))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index email_message_due on email_message (brand_id, due_at) where state = 'waiting';
create index email_message_sending on email_message (due_at) where state = 'sending';
create unique index email_message_request on email_message (player_id, request_key) where request_key is not null;
create index email_message_player on email_message (player_id, message_id);
create index email_message_brand on email_message (brand_id, message_id);
create index email_message_ended on email_message (ended_at) where ended_at is not null;
-- Few of all messages: the overview counts those of a day.
create index email_message_failed on email_message (brand_id, ended_at) where state in ('failed', 'unknown');

-- E-mail addresses and mobile numbers that are not written to. Only a keyed hash of each is kept: it still holds after an erasure.
create table address_suppression ( -- control
  brand_id     int not null,
  address_key  bytea not null,
  reason       text not null check (reason in ('bounced', 'complained', 'staff')),
  -- What the server said, without the address.
  detail       text,
  added_at     timestamptz not null,
  added_by     text,
  primary key (brand_id, address_key)
);

-- For e-mails of a campaign that was recalled before they were sent.
create index notification_recall_campaign on notification_recall (brand_id, campaign_id);

-- What a brand sets for a channel that calls a provider (src/channels/settings).
create table channel_settings ( -- control
  brand_id    int not null,
  channel     text not null check (channel in ('sms', 'webhook', 'operator')),
  settings    jsonb not null,
  -- Sealed with CROUPIER_SECRET.
  secrets     bytea,
  changed_at  timestamptz not null,
  changed_by  text not null,
  primary key (brand_id, channel)
);

-- What the last worker that called a provider learned of it. `target`: the provider; of a webhook the host.
create table channel_health ( -- control
  brand_id         int not null,
  channel          text not null,
  target           text not null,
  circuit          text not null,
  last_error       text,
  last_error_at    timestamptz,
  last_success_at  timestamptz,
  primary key (brand_id, channel, target)
);

-- Messages that go out by a call over HTTP (src/channels/calls/README.md): SMS, webhooks, the operator's own channel.
create table called_message ( -- cell
  -- id_in_bucket of notification_number and the player: one number names one message, whatever its channel.
  message_id        bigint primary key,
  brand_id          int not null,
  player_id         bigint not null,
  channel           text not null check (channel in ('sms', 'webhook', 'operator')),
  -- Whose slots, rate and circuit it takes: '' or the host of a webhook.
  target            text not null,
  purpose           text not null check (purpose in ('marketing', 'service')),
  campaign_id       text,
  template_code        text,
  version_of_template  int,
  language             text,
  -- What it says: the fields of its channel.
  content           jsonb not null,
  -- Of an SMS.
  parts             int,
  created_at        timestamptz not null,
  created_by        text not null,
  -- A repeated request makes no second message.
  request_key       text,
  request_digest    text,
  -- Nothing is sent after it.
  expires_at        timestamptz not null,

  state             text not null check (state in ('waiting', 'sending', 'sent', 'unknown', 'withheld', 'dropped', 'failed')),
  reason            text,
  -- What the provider answered last, or why the call failed.
  status            int,
  detail            text,
  -- The provider's name for it.
  provider_id       text,
  -- Calls begun.
  attempts          int not null default 0,
  -- The receiver knows it by its id: a call that was lost is made again.
  repeatable        boolean not null default false,
  decision_id       bigint,
  -- By the database's clock. Waiting: when it is looked at. Sending: when the call counts as lost.
  due_at            timestamptz,
  claim             bigint,
  -- Keyed hash of the address that it went to: a bounce is about that one, whatever the player's address is by then.
  address_key       bytea,
  sent_at           timestamptz,
  ended_at          timestamptz,
  -- Who recalled it; null where nobody did.
  ended_by          text,
  check (message_id & 63 = player_id & 63),
  check ((due_at is null) = (state not in ('waiting', 'sending')))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index called_message_due on called_message (brand_id, channel, target, due_at) where state = 'waiting';
create index called_message_sending on called_message (due_at) where state = 'sending';
create index called_message_expires on called_message (expires_at) where state = 'waiting';
create unique index called_message_request on called_message (player_id, channel, request_key) where request_key is not null;
create index called_message_player on called_message (player_id, message_id);
create index called_message_brand on called_message (brand_id, channel, message_id);
create index called_message_ended on called_message (ended_at) where ended_at is not null;
-- As email_message_failed.
create index called_message_failed on called_message (brand_id, ended_at) where state in ('failed', 'unknown');
create index called_message_provider on called_message (brand_id, provider_id) where provider_id is not null;

-- People to be called or written to (src/channels/lists/README.md). Number and address are read at each export, and kept nowhere here.
create table list_entry ( -- cell
  -- id_in_bucket of notification_number and the player: one number names one message, whatever its channel.
  message_id        bigint primary key,
  brand_id          int not null,
  player_id         bigint not null,
  channel           text not null check (channel in ('telephone', 'post_mail')),
  list              text not null,
  purpose           text not null check (purpose in ('marketing', 'service')),
  campaign_id       text,
  template_code        text,
  version_of_template  int,
  language             text,
  note              text not null,
  created_at        timestamptz not null,
  created_by        text not null,
  -- A repeated request makes no second entry.
  request_key       text,
  request_digest    text,
  -- Not exported after it.
  expires_at        timestamptz not null,

  state             text not null
    check (state in ('waiting', 'exported', 'reached', 'not_reached', 'opted_out', 'withheld', 'dropped')),
  reason            text,
  decision_id       bigint,
  exported_at       timestamptz,
  exported_by       text,
  -- Words of whoever called.
  outcome_note      text,
  ended_at          timestamptz,
  -- Who reported the outcome, or recalled it.
  ended_by          text,
  check (message_id & 63 = player_id & 63)
) with (fillfactor = 80);
create index list_entry_open on list_entry (brand_id, channel, list, message_id) where state in ('waiting', 'exported');
create index list_entry_expires on list_entry (expires_at) where state in ('waiting', 'exported');
create unique index list_entry_request on list_entry (player_id, channel, request_key) where request_key is not null;
create index list_entry_player on list_entry (player_id, message_id);
create index list_entry_brand on list_entry (brand_id, channel, message_id);
create index list_entry_ended on list_entry (ended_at) where ended_at is not null;

-- What providers reported about messages, for as long as they may repeat it (src/replies/README.md).
create table message_report ( -- cell
  player_id    bigint not null,
  -- SHA-256 of provider and the provider's own identifier.
  report_key   bytea not null,
  brand_id     int not null,
  -- The event as it goes to the ledger: a repeated report has the body of the first.
  body         jsonb not null,
  -- Of a bounce: the address or number, as a keyed hash.
  address_key  bytea,
  heard_at     timestamptz not null,
  -- In the ledger since. Null: the ledger was away, and the report comes again.
  stored_at    timestamptz,
  -- One of our own: the publisher brings it to the ledger.
  waits        boolean not null default false,
  primary key (player_id, report_key)
);
create index message_report_waits on message_report (heard_at) where waits;
create index message_report_age on message_report (heard_at);
create index message_report_bounce on message_report (player_id, address_key, heard_at) where address_key is not null;

-- How many reports came, and what became of them. One row per day (UTC) and outcome.
create table report_tally ( -- control
  brand_id     int not null,
  channel      text not null,
  provider     text not null,
  outcome      text not null,
  day          date not null,
  reports      bigint not null,
  last_at      timestamptz not null,
  primary key (brand_id, channel, provider, outcome, day)
) with (fillfactor = 70);
create index report_tally_day on report_tally (day);
