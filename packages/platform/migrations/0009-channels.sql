-- Messages on the site (src/channels/notifications/README.md).

create sequence notification_number;

-- One row per message. `state` and the columns after it are the state machine's
-- (src/channels/notifications/notification.ts).
create table notification ( -- cell
  -- The MessageId of the notification API: id_in_bucket of the sequence and the player. It is taken before the gate decides,
  -- because the decision's record contains it.
  message_id        bigint primary key,
  brand_id          int not null,
  player_id         bigint not null,
  channel           text not null check (channel in ('site', 'push')),
  purpose           text not null check (purpose in ('marketing', 'service')),
  event             text not null check (event in ('message', 'shoutout', 'inbox')),
  display_type      text not null check (display_type in ('silent', 'push')),
  title             text not null,
  -- HTML, sanitized before it was stored. Same for footer_text.
  message           text not null,
  preview_text      text not null,
  footer_text       text not null,
  -- json, not jsonb: the data is passed on unchanged, with its order of keys and all digits of its numbers.
  data              json not null,
  cta_button_link   text not null,
  cta_button_text   text not null,
  cta_button2_link  text not null,
  cta_button2_text  text not null,
  image_url         text not null,
  campaign_id       text,
  created_at        timestamptz not null,
  created_by        text not null,
  -- infinity: never. Not null, so that an index can serve the condition "not expired".
  expires_at        timestamptz not null default 'infinity',

  state             text not null check (state in ('held', 'withheld', 'dropped', 'live', 'deleted', 'withdrawn', 'expired')),
  reason            text,
  state_since       timestamptz not null,
  -- The latest decision of the gate for the message's own channel.
  decision_id       bigint,
  live_at           timestamptz,
  -- When the player first did each of these on the page. They are independent, except that a click also counts as reading.
  -- `closed`: by its close button, Escape or the area around it. Deletion is a state, and its time is state_since.
  shown_at          timestamptz,
  read_at           timestamptz,
  clicked_at        timestamptz,
  closed_at         timestamptz,
  -- The person who recalled the message, or null.
  ended_by          text,
  -- For a held message: when the gate decides again, by the database's clock.
  due_at            timestamptz,
  -- One of five lists of the player's messages. For modals and banners: 0 read, 1 unread, 4 unread and closed, so not
  -- displayed again automatically. For the inbox: 2 read, 3 unread.
  shelf             smallint not null generated always as
                      (case when event = 'inbox' then case when read_at is null then 3 else 2 end
                            when read_at is not null then 0 when closed_at is null then 1 else 4 end) stored,
  check (message_id & 63 = player_id & 63),
  check ((due_at is not null) = (state = 'held')),
  check ((live_at is not null) or state in ('held', 'withheld', 'dropped'))
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- For the lists of the site. A list merges the newest rows of one to five shelves, so a call reads at most five pages of rows,
-- no matter how many messages the player has. The minus makes this the only index in the order of the lists, so a planner with
-- old statistics cannot choose a slower one.
create index notification_site on notification (player_id, shelf, (-message_id), expires_at) where state = 'live';
-- For the lists of the console. Each merges the states that it shows.
create index notification_player on notification (player_id, state, message_id);
-- The minus makes these three the only indexes in the order of the lists of a brand, so a planner with old statistics cannot choose a
-- slower one, such as the primary key.
create index notification_brand on notification (brand_id, state, (-message_id));
create index notification_campaign on notification (brand_id, campaign_id, state, (-message_id)) where campaign_id is not null;
-- For the filter by reason. Only the messages that have one are in it. The campaign is after the id, so a search for both reads no
-- message of another campaign, only its entry here.
create index notification_reason on notification (brand_id, reason, state, (-message_id), campaign_id) where reason is not null;
-- For messages that become due.
create index notification_held on notification (due_at) where state = 'held';
create index notification_expiry on notification (expires_at) where state = 'live' and expires_at < 'infinity';
-- Ended messages of a brand, the oldest first (src/channels/notifications/old.ts).
create index notification_ended on notification (brand_id, state_since) where state not in ('held', 'live');

-- Keys of requests, so that a repeated request creates no second message.
create table notification_request ( -- cell
  brand_id        int not null,
  request_key     text not null,
  request_digest  text not null,
  message_id      bigint not null,
  player_id       bigint not null,
  -- Old keys are deleted by this time (src/channels/notifications/old.ts).
  made_at         timestamptz not null default now(),
  primary key (player_id, request_key)
);
create index notification_request_made on notification_request (made_at);

-- Recalls of campaigns, with their progress. A recall covers messages up to `up_to`: first the held ones, then the live ones.
create table notification_recall ( -- cell: its own
  recall_id     bigint generated always as identity primary key,
  brand_id      int not null,
  campaign_id   text not null,
  up_to         bigint not null,
  phase         text not null default 'held' check (phase in ('held', 'live', 'done')),
  -- Messages up to this id were processed in this phase.
  position      bigint not null default 0,
  -- withdrawn: removed from inboxes. dropped: ended before they were shown.
  withdrawn     bigint not null default 0,
  dropped       bigint not null default 0,
  requested_at  timestamptz not null,
  requested_by  text not null,
  finished_at   timestamptz
);
create index notification_recall_open on notification_recall (brand_id, campaign_id) where phase <> 'done';
create index notification_recall_brand on notification_recall (brand_id, recall_id);

-- Unread marketing of players who became protected and that is not withdrawn yet. A row is deleted when its work is done.
create table notification_withdrawal ( -- cell
  number         bigint generated always as identity,
  withdrawal_id  bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id       int not null,
  player_id      bigint not null,
  -- Only messages below this id remain to be checked. Null: all.
  below          bigint,
  due_at         timestamptz not null
);
create index notification_withdrawal_due on notification_withdrawal (due_at);
create index notification_withdrawal_player on notification_withdrawal (player_id);

-- Signals to connected browsers (src/channels/signals). A chore deletes rows after some minutes.
create table site_signal ( -- cell
  number      bigint generated always as identity,
  signal_id   bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id    int not null,
  player_id   bigint not null,
  kind        text not null check (kind in 
                ('arrived', 'read', 'closed', 'deleted', 'withdrawn', 'list_again', 'session_ended', 'one_session_ended')),
  -- Null if the signal is not about a single message.
  message_id  bigint,
  written_at  timestamptz not null default clock_timestamp(),
  -- The transaction that wrote the row. With it, a reader finds what became visible between two polls, in any order of
  -- commits.
  written_by  xid8 not null default pg_current_xact_id()
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_insert_scale_factor = 0.5);
create index site_signal_written_by on site_signal (written_by);
-- For sessions that ended after a socket was opened, and for erasures.
create index site_signal_player on site_signal (player_id, kind);

-- Web Push: the keys of each brand, the devices of players, and the pushes (src/channels/push/README.md).

-- Key pairs of each brand. A device subscribes with the public key and accepts only pushes signed with that pair. A pair can
-- be replaced (src/channels/push/vapid.ts); a device keeps the pair that it subscribed with.
create table push_key ( -- control
  key_id       bigint generated always as identity primary key,
  brand_id     int not null,
  public_key   text not null,
  -- The private key, encrypted with CROUPIER_SECRET.
  sealed       bytea not null,
  created_at   timestamptz not null,
  -- Null: the pair with which devices subscribe now.
  replaced_at  timestamptz,
  -- From then on, nothing is signed with the pair, and its devices are removed.
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
  -- SHA-256 of the endpoint. If another player signs in on a device, the row moves to that player, so a device has only one
  -- row.
  endpoint_hash    bytea not null,
  -- {endpoint, p256dh, auth}, encrypted with CROUPIER_SECRET, because anyone who knows an endpoint may try to push to it.
  sealed           bytea not null,
  -- The host of the endpoint. Pushes to it share its slots, and people see only the host.
  host             text not null,
  -- The session that last confirmed the device (site: Caller.sid_hash). It identifies the session with any kind of credential,
  -- including the brand's JWT. It is never null.
  sid_hash         text,
  -- The pair that the device subscribed with.
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
  -- The last answer of the push service, or the network error.
  status           int,
  detail           text,
  -- Number of calls that were started.
  attempts         int not null default 0,
  -- Number of consecutive calls that failed in the same way.
  tries            int not null default 0,
  created_at       timestamptz not null,
  -- Nothing is sent after this time.
  expires_at       timestamptz not null,
  -- By the database's clock. Waiting: when it is processed. Sending: when the call counts as lost.
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

-- Templates: the content of messages in each language (src/channels/templates/README.md).
create table template ( -- control
  template_id  bigint generated always as identity primary key,
  brand_id     int not null,
  code         text not null,
  channel      text not null check (channel in ('site', 'push', 'email', 'sms', 'webhook', 'operator', 'telephone', 'post_mail', 'block')),
  -- The current version. 0 only within the transaction that creates the first version.
  version      int not null,
  created_at   timestamptz not null,
  -- The versions of a deleted template stay, so that people can see what was sent.
  deleted_at   timestamptz
);
create unique index template_code on template (brand_id, code collate "C") where deleted_at is null;

-- Versions never change.
create table template_version ( -- control
  template_id  bigint not null references template,
  version      int not null,
  name         text not null,
  purpose      text not null check (purpose in ('marketing', 'service')),
  -- {language: {field: text}}. json, so that languages and fields keep their order.
  content      json not null,
  created_at   timestamptz not null,
  created_by   text not null,
  primary key (template_id, version)
);

-- E-mails (src/channels/email/README.md). One row per message. The address is read when the e-mail is sent, and is
-- not stored here.
create table email_message ( -- cell
  -- id_in_bucket of notification_number and the player. Message ids are unique across all channels.
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
  -- A repeated request creates no second message.
  request_key       text,
  request_digest    text,
  -- Nothing is sent after this time.
  expires_at        timestamptz not null,

  state             text not null check (state in ('waiting', 'sending', 'sent', 'unknown', 'withheld', 'dropped', 'failed')),
  reason            text,
  -- The last answer of the server, or why the call failed.
  status            int,
  detail            text,
  -- Number of calls that were started.
  attempts          int not null default 0,
  -- Number of consecutive calls that failed in the same way.
  tries             int not null default 0,
  decision_id       bigint,
  -- By the database's clock. Waiting: when it is processed. Sending: when the call counts as lost.
  due_at            timestamptz,
  claim             bigint,
  -- Keyed hash of the address to which the e-mail was sent. A bounce concerns this address, even if the player's address has
  -- changed.
  address_key       bytea,
  sent_at           timestamptz,
  ended_at          timestamptz,
  -- The person who recalled it, or null.
  ended_by          text,
  check (message_id & 63 = player_id & 63),
  check ((due_at is null) = (state not in ('waiting', 'sending')))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index email_message_due on email_message (brand_id, due_at) where state = 'waiting';
-- When a campaign is paused, resumed or stopped, a worker finds its waiting messages here.
create index email_message_campaign on email_message (brand_id, campaign_id, created_at)
  where state = 'waiting' and campaign_id is not null and reason is distinct from 'campaign_paused';
create index email_message_paused on email_message (brand_id, campaign_id, created_at) where state = 'waiting' and reason = 'campaign_paused';
create index email_message_expires on email_message (expires_at) where state = 'waiting';
create index email_message_sending on email_message (due_at) where state = 'sending';
create unique index email_message_request on email_message (player_id, request_key) where request_key is not null;
create index email_message_player on email_message (player_id, message_id);
create index email_message_brand on email_message (brand_id, message_id);
create index email_message_ended on email_message (ended_at) where ended_at is not null;
-- Failed messages are few. The overview counts those of the last day.
create index email_message_failed on email_message (brand_id, ended_at) where state in ('failed', 'unknown');
-- For the lists of what a campaign did not send (src/campaigns/results).
create index email_message_withheld on email_message (brand_id, campaign_id, message_id) where state in ('withheld', 'dropped') and campaign_id is not null;

-- Suppressed e-mail addresses and mobile numbers. Only a keyed hash of each is stored, so it stays valid after an erasure.
create table address_suppression ( -- control
  brand_id     int not null,
  address_key  bytea not null,
  reason       text not null check (reason in ('bounced', 'complained', 'staff')),
  -- The server's answer without the address.
  detail       text,
  added_at     timestamptz not null,
  added_by     text,
  primary key (brand_id, address_key)
);

-- For e-mails of a campaign that was recalled before they were sent.
create index notification_recall_campaign on notification_recall (brand_id, campaign_id);

-- A brand's settings for a channel that calls a provider (src/channels/settings).
create table channel_settings ( -- control
  brand_id    int not null,
  channel     text not null check (channel in ('sms', 'webhook', 'operator')),
  settings    jsonb not null,
  -- Encrypted with CROUPIER_SECRET.
  secrets     bytea,
  changed_at  timestamptz not null,
  changed_by  text not null,
  primary key (brand_id, channel)
);

-- The state of a provider, as reported by the last worker that called it. `target` is the provider, or the host of a webhook.
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

-- Messages that are sent by an HTTP call (src/channels/calls/README.md): SMS, webhooks, the operator's own channel.
create table called_message ( -- cell
  -- id_in_bucket of notification_number and the player. Message ids are unique across all channels.
  message_id        bigint primary key,
  brand_id          int not null,
  player_id         bigint not null,
  channel           text not null check (channel in ('sms', 'webhook', 'operator')),
  -- Messages with the same target share slots, rate and circuit: '', or the host of a webhook.
  target            text not null,
  purpose           text not null check (purpose in ('marketing', 'service')),
  campaign_id       text,
  template_code        text,
  version_of_template  int,
  language             text,
  -- The fields of its channel.
  content           jsonb not null,
  -- Number of parts of an SMS.
  parts             int,
  created_at        timestamptz not null,
  created_by        text not null,
  -- A repeated request creates no second message.
  request_key       text,
  request_digest    text,
  -- Nothing is sent after this time.
  expires_at        timestamptz not null,

  state             text not null check (state in ('waiting', 'sending', 'sent', 'unknown', 'withheld', 'dropped', 'failed')),
  reason            text,
  -- The last answer of the provider, or why the call failed.
  status            int,
  detail            text,
  -- The provider's id for the message.
  provider_id       text,
  -- Number of calls that were started.
  attempts          int not null default 0,
  -- Number of consecutive calls that failed in the same way.
  tries             int not null default 0,
  -- True if the receiver recognizes repeated calls by their id. A lost call is then repeated.
  repeatable        boolean not null default false,
  -- Why the outcome of a repeated call is unknown: timeout, cut, server_error, lost. If the message is not sent after that, it ends as
  -- unknown for this reason, because the call may have arrived. Null if no call can have arrived.
  unclear           text,
  decision_id       bigint,
  -- By the database's clock. Waiting: when it is processed. Sending: when the call counts as lost.
  due_at            timestamptz,
  claim             bigint,
  -- Keyed hash of the address to which the message was sent. A bounce concerns this address, even if the player's address has
  -- changed.
  address_key       bytea,
  sent_at           timestamptz,
  ended_at          timestamptz,
  -- The person who recalled it, or null.
  ended_by          text,
  check (message_id & 63 = player_id & 63),
  check ((due_at is null) = (state not in ('waiting', 'sending')))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index called_message_due on called_message (brand_id, channel, target, due_at) where state = 'waiting';
-- When a campaign is paused, resumed or stopped, a worker finds its waiting messages here.
create index called_message_campaign on called_message (brand_id, campaign_id, created_at)
  where state = 'waiting' and campaign_id is not null and reason is distinct from 'campaign_paused';
create index called_message_paused on called_message (brand_id, campaign_id, created_at) where state = 'waiting' and reason = 'campaign_paused';
create index called_message_sending on called_message (due_at) where state = 'sending';
create index called_message_expires on called_message (expires_at) where state = 'waiting';
create unique index called_message_request on called_message (player_id, channel, request_key) where request_key is not null;
create index called_message_player on called_message (player_id, message_id);
create index called_message_brand on called_message (brand_id, channel, message_id);
create index called_message_ended on called_message (ended_at) where ended_at is not null;
-- Same purpose as email_message_failed.
create index called_message_failed on called_message (brand_id, ended_at) where state in ('failed', 'unknown');
-- Same purpose as email_message_withheld. The next tables have the same index.
create index called_message_withheld on called_message (brand_id, campaign_id, message_id) where state in ('withheld', 'dropped') and campaign_id is not null;
create index notification_withheld on notification (brand_id, campaign_id, message_id)
  where live_at is null and state in ('withheld', 'dropped') and campaign_id is not null;
-- For a STOP: to whom an SMS was sent at this number, whatever their number is now.
create index called_message_address on called_message (brand_id, address_key) where address_key is not null;
create index called_message_provider on called_message (brand_id, provider_id) where provider_id is not null;

-- Players to call or write to (src/channels/lists/README.md). Number and address are read at each export, and are not stored
-- here.
create table list_entry ( -- cell
  -- id_in_bucket of notification_number and the player. Message ids are unique across all channels.
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
  -- A repeated request creates no second entry.
  request_key       text,
  request_digest    text,
  -- Not exported after this time.
  expires_at        timestamptz not null,

  state             text not null
    check (state in ('waiting', 'exported', 'reached', 'not_reached', 'opted_out', 'withheld', 'dropped')),
  reason            text,
  decision_id       bigint,
  exported_at       timestamptz,
  exported_by       text,
  -- The note of the person who made the contact.
  outcome_note      text,
  ended_at          timestamptz,
  -- The person who reported the outcome, or recalled the entry.
  ended_by          text,
  check (message_id & 63 = player_id & 63)
) with (fillfactor = 80);
create index list_entry_open on list_entry (brand_id, channel, list, message_id) where state in ('waiting', 'exported');
create index list_entry_expires on list_entry (expires_at) where state in ('waiting', 'exported');
create unique index list_entry_request on list_entry (player_id, channel, request_key) where request_key is not null;
create index list_entry_player on list_entry (player_id, message_id);
create index list_entry_brand on list_entry (brand_id, channel, message_id);
create index list_entry_withheld on list_entry (brand_id, campaign_id, message_id) where state in ('withheld', 'dropped') and campaign_id is not null;
create index list_entry_campaign on list_entry (brand_id, campaign_id, created_at)
  where state = 'waiting' and campaign_id is not null and reason is distinct from 'campaign_paused';
create index list_entry_paused on list_entry (brand_id, campaign_id, created_at) where state = 'waiting' and reason = 'campaign_paused';
create index list_entry_ended on list_entry (ended_at) where ended_at is not null;

-- Reports of providers about messages, kept for as long as a provider may repeat them (src/replies/README.md).
create table message_report ( -- cell
  player_id    bigint not null,
  -- SHA-256 of the provider and the provider's own identifier of the report.
  report_key   bytea not null,
  brand_id     int not null,
  -- The event for the ledger. A repeated report has the body of the first.
  body         jsonb not null,
  -- For a bounce: the address or number as a keyed hash.
  address_key  bytea,
  heard_at     timestamptz not null,
  -- When the event was stored in the ledger. Null: the ledger was unavailable, and the provider repeats the report.
  stored_at    timestamptz,
  -- True for a report of the platform itself that the publisher has not written to the ledger yet.
  waits        boolean not null default false,
  primary key (player_id, report_key)
);
create index message_report_waits on message_report (heard_at) where waits;
create index message_report_age on message_report (heard_at);
create index message_report_bounce on message_report (player_id, address_key, heard_at) where address_key is not null;

-- Number of reports and their effects, one row per day (UTC) and outcome.
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
