-- What derive makes of the ledger (src/derive/README.md).
--
-- Schema `live` holds derived state: a function of the set of events alone, so no column of it depends on when or in
-- which order they arrived. That is what lets a rebuild be compared with it, row by row. Every table leads with
-- player_id. Numbers are stored with trim_scale, so that equal amounts are equal texts.
create schema live;

-- One row per player, from any event.
create table live.player_activity (
  player_id       bigint primary key,
  first_event_at  timestamptz not null,
  last_event_at   timestamptz not null,
  -- Of the latest event that names one; of several at that time the one that sorts first.
  origin          text,
  origin_at       timestamptz
);

-- One per player: the earliest.
create table live.registration (
  player_id    bigint primary key,
  at           timestamptz not null,
  fingerprint  bytea not null,
  origin       text,
  url_referer  text
);

create table live.login (
  player_id        bigint not null,
  action           text not null check (action in ('login', 'logout')),
  at               timestamptz not null,
  fingerprint      bytea not null,
  -- Day of the brand's time zone.
  day              date not null,
  -- False for staff signed in as the player: refreshes, and counts nowhere.
  counted          boolean not null,
  origin           text,
  primary key (player_id, action, at)
);

create table live.login_total (
  player_id        bigint primary key,
  login_count      int not null,
  logout_count     int not null,
  login_first_at   timestamptz,
  login_last_at    timestamptz,
  logout_first_at  timestamptz,
  logout_last_at   timestamptz
);
create table live.login_day (
  player_id        bigint not null,
  day              date not null,
  login_count      int not null,
  logout_count     int not null,
  primary key (player_id, day)
);
create table live.login_hour (
  player_id        bigint not null,
  hour             timestamptz not null,
  login_count      int not null,
  logout_count     int not null,
  primary key (player_id, hour)
);
create index login_hour_age on live.login_hour (hour);

create table live.payment (
  player_id      bigint not null,
  -- 16 bytes: hash of payment_id and type; without a payment_id the fingerprint of the one event that makes the payment.
  payment_key    bytea not null,
  payment_id     text,
  type           text not null check (type in ('Credit', 'Debit')),
  status         text not null,
  -- A Rollback, Rejected or Cancelled without its payment: listed, without effect.
  orphan         boolean not null,
  -- True while an Approved is in force: then the payment is part of the totals.
  counted        boolean not null,
  -- Approved again after a Rollback.
  reapproved     boolean not null,
  -- Of the Approved in force; where there is none, of the event that the payment is shown by.
  at             timestamptz not null,
  day            date not null,
  amount         numeric not null,
  currency       text not null,
  exchange_rate  numeric not null,
  base_amount    numeric not null,
  base_fee       numeric not null,
  vendor_id      text not null,
  vendor_name    text,
  origin         text not null,
  bonus_code     text,
  note           text,
  conflicts      int not null,
  -- The versions of its events, in canonical order (maxVersionsOfKey, PaymentEvent in src/derive/payments/payment.ts).
  events         jsonb not null,
  primary key (player_id, payment_key)
);
create index payment_by_time on live.payment (player_id, at);

create table live.payment_total (
  player_id            bigint primary key,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  deposit_first_at     timestamptz,
  deposit_last_at      timestamptz,
  withdrawal_first_at  timestamptz,
  withdrawal_last_at   timestamptz
);
create table live.payment_day (
  player_id            bigint not null,
  day                  date not null,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  primary key (player_id, day)
);
create table live.payment_hour (
  player_id            bigint not null,
  hour                 timestamptz not null,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  primary key (player_id, hour)
);
create index payment_hour_age on live.payment_hour (hour);

-- deposit_count and withdraw_count as the operator's own payments report them: the latest by timestamp, ties by the
-- smallest fingerprint.
create table live.payment_report (
  player_id    bigint not null,
  name         text not null check (name in ('deposit_count', 'withdraw_count')),
  value        bigint not null,
  at           timestamptz not null,
  fingerprint  bytea not null,
  primary key (player_id, name)
);

-- What follows tells how events arrived. It is no derived state: a rebuild neither reads nor writes it.

-- One narrow row per event of the ledger: who, what, when, and what became of it. Partitioned by the UTC day of receipt.
create table journal (
  received_at  timestamptz not null,
  brand_id     int not null,
  -- Null, like `at`, when the event could not be read.
  player_id    bigint,
  at           timestamptz,
  -- Numbers of src/ledger/kind-codes.ts and src/derive/journal/codes.ts.
  kind         smallint not null,
  verdict      smallint not null,
  -- Bit n is flag n of flagMeanings in @croupier/contracts.
  flags        int not null,
  writer_id    int not null,
  seq          bigint not null,
  index        int not null
) partition by range (received_at);
create index journal_timeline on journal (player_id, at desc);
create index journal_feed on journal (brand_id, received_at desc);
-- The few rows that a person looks for: neither applied (1) nor repeat (2), or flagged other than zone-less (bit 1).
create index journal_noted on journal (brand_id, received_at desc) where verdict > 2 or (flags & ~2) <> 0;

-- Per brand, kind and minute of receipt. `source` is the lowest bucket that the writing worker owned: buckets have one
-- owner, so two workers never wait for each other on a row.
create table feed_minute (
  brand_id          int not null,
  kind              smallint not null,
  minute            timestamptz not null,
  source            smallint not null,
  events            int not null,
  repeats           int not null,
  conflicts         int not null,
  orphans           int not null,
  -- Orphans whose payment came after all: the orphans that remain are the difference.
  orphans_resolved  int not null,
  unreadable        int not null,
  flagged           int not null,
  zoneless          int not null,
  last_received_at  timestamptz not null,
  -- Histogram of the publish delay of first events; bounds in src/derive/feed/delay.ts.
  delays            int[] not null,
  -- Zone-less events by the whole hour at which they arrived: element 1 is -24 h, element 25 is 0, element 49 is +24 h.
  zoneless_hours    int[] not null,
  primary key (brand_id, kind, minute, source)
);
create index feed_minute_age on feed_minute (minute);

-- Events that cannot be applied wait here, each by itself, with their reason and age, and are tried again with growing
-- delay. Other events of the same player are applied.
create table parked_event (
  writer_id     int not null,
  seq           bigint not null,
  index         int not null,
  brand_id      int not null,
  -- The unsigned 64-bit number of ledger events; beyond int8.
  player_hash   numeric(20) not null,
  bucket        smallint not null,
  kind          smallint not null,
  received_at   timestamptz not null,
  -- unreadable: the event says nothing that can be read. failing: it is readable, and applying it ends in an error.
  cause         text not null check (cause in ('unreadable', 'failing')),
  reason        text not null,
  -- Null for an unreadable event.
  user_id       text,
  parked_at     timestamptz not null,
  attempts      int not null default 0,
  retry_at      timestamptz not null,
  primary key (writer_id, seq, index)
);
create index parked_event_due on parked_event (bucket, retry_at);
create index parked_event_of on parked_event (brand_id, player_hash, cause, received_at);

-- Comparisons of the live state with one recomputed from the ledger.
create table rebuild (
  rebuild_id   bigint generated always as identity primary key,
  brand_id     int,
  player_id    bigint,
  swap         boolean not null,
  started_at   timestamptz not null,
  finished_at  timestamptz,
  -- Null while it runs; 'done', 'cancelled', 'interrupted' (its process was killed) or the reason of its end.
  outcome      text,
  events       bigint not null default 0,
  players      bigint not null default 0,
  differences  bigint not null default 0
);
create table rebuild_difference (
  rebuild_id    bigint not null references rebuild on delete cascade,
  player_id     bigint not null,
  -- Tables whose rows differ.
  tables        text[] not null,
  live_hash     text,
  rebuilt_hash  text,
  swapped       boolean not null,
  primary key (rebuild_id, player_id)
);
