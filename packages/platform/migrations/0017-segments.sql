-- Segments (src/segments/README.md): their members, with time and cause.

create table segment ( -- control
  segment_id  int generated always as identity primary key,
  brand_id    int not null,
  -- The code that rules use: segment.<code>.
  code        text not null,
  name        text not null,
  -- While true, no player enters or leaves.
  paused      boolean not null default false,
  created_at  timestamptz not null,
  created_by  text not null,
  unique (brand_id, code)
);

-- A published version never changes. Its states: src/segments/membership/versions/state.ts.
create table segment_version ( -- control
  version_id         int generated always as identity primary key,
  segment_id         int not null references segment on delete cascade,
  version            int not null,
  -- rule: the players who satisfy `rule`. list: the players in segment_listed, uploaded or frozen.
  kind               text not null check (kind in ('rule', 'list')),
  rule               jsonb check ((kind = 'rule') = (rule is not null)),
  hash               text not null,
  sentence           text not null,
  -- Whether excluded and blocked players may be members.
  include_protected  boolean not null,
  state              text not null check (state in ('draft', 'computing', 'in_force', 'failed', 'past')),
  -- Whether campaigns start for the players who enter or leave because this version comes into force. Chosen when it is published.
  starts_campaigns   boolean not null default false,
  -- Why the version failed.
  reason             text,
  created_at         timestamptz not null,
  created_by         text not null,
  published_at       timestamptz,
  computed_at        timestamptz,
  unique (segment_id, version)
);
create unique index segment_version_draft on segment_version (segment_id) where state = 'draft';
create unique index segment_version_computing on segment_version (segment_id) where state = 'computing';
create unique index segment_version_in_force on segment_version (segment_id) where state in ('in_force', 'failed');

-- The versions whose members this cell stores. Deriving and evaluating read this table and no control table.
create table segment_active ( -- cell: its own
  version_id  int primary key,
  segment_id  int not null,
  brand_id    int not null,
  code        text not null,
  -- kept: the segment is paused, or its version failed. Its members do not change, and other rules can still read them.
  phase       text not null check (phase in ('computing', 'in_force', 'kept')),
  -- Kinds of events that can change the result of the rule, and 'message', 'offer'. Events of other kinds cause no work.
  kinds       text[] not null,
  -- The last day of the brand for which a recomputation was requested.
  checked_on  date
);
create index segment_active_brand on segment_active (brand_id);

-- Progress of computing or recomputing a version. Players are processed in the order of player_id.
create table segment_computation ( -- cell: its own
  version_id   int primary key,
  -- compute: for a version that is not in force yet. recompute: corrects the version in force.
  purpose      text not null check (purpose in ('compute', 'recompute')),
  after_id     bigint not null default 0,
  done         int not null default 0,
  total        int not null,
  corrected    int not null default 0,
  failures     int not null default 0,
  -- Whether its last portion was slowed, because the feed needs the capacity.
  slowed       boolean not null default false,
  started_at   timestamptz not null
);

-- Players who satisfy a version. Protected players are not members. They are counted separately, and become members when their
-- protection ends.
create table segment_member ( -- cell
  player_id   bigint not null,
  version_id  int not null,
  protected   boolean not null,
  since       timestamptz not null,
  primary key (player_id, version_id)
) with (fillfactor = 90);
create index segment_member_version on segment_member (version_id, player_id) include (protected);

-- The players of a list.
create table segment_listed ( -- cell
  player_id   bigint not null,
  version_id  int not null,
  primary key (player_id, version_id)
);
create index segment_listed_version on segment_listed (version_id, player_id);

-- The time at which an answer may change without an event. `rough`: an early bound from SQL; the exact time is not computed
-- yet.
create table segment_due ( -- cell
  player_id   bigint not null,
  version_id  int not null,
  due_at      timestamptz not null,
  rough       boolean not null,
  primary key (player_id, version_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index segment_due_at on segment_due (version_id, due_at);
create index segment_due_rough on segment_due (version_id, player_id) where rough;

create table segment_transition ( -- cell
  number         bigint generated always as identity,
  transition_id  bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  brand_id       int not null,
  player_id      bigint not null,
  segment_id     int not null,
  version        int not null,
  transition     text not null check (transition in ('entered', 'left')),
  at             timestamptz not null,
  cause          jsonb not null,
  -- True if no campaign may start from it: a new version (unless it starts campaigns), a recomputation, an import, or an event
  -- older than the brand's trigger age.
  silent         boolean not null
);
create index segment_transition_segment on segment_transition (segment_id, transition_id);
create index segment_transition_day on segment_transition (segment_id, at) include (transition);
-- For the timeline of a player, which reads its entries by time.
create index segment_transition_player on segment_transition (player_id, at, transition_id);

-- Changes of players that are not evaluated yet. They are written in the transaction of their cause, and deleted in the
-- transaction of their effects.
create table segment_news ( -- cell
  number      bigint generated always as identity,
  news_id     bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  player_id   bigint not null,
  brand_id    int not null,
  -- The causes of the change: one for each kind of event that caused it. A transition records one of them.
  causes      jsonb not null,
  -- If set, only this version is evaluated. Null: all versions that read the change.
  version_id  int
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index segment_news_player on segment_news (player_id);
create index segment_news_version on segment_news (version_id) where version_id is not null;

-- Messages and offers are changed in many places of the code. So triggers write news about them, in the transaction of the change.
-- Each trigger executes one statement for all changed rows. A function that was called for each row to insert its news
-- took 80 us per row.
--
-- The computation of a version begins with a barrier (settle/computer.ts), which takes this lock exclusively. So it waits for
-- changes whose transactions may not see yet that the version is active. A change never waits for the barrier: if it does not
-- get the lock, it writes news whether or not a rule reads it.
create function begin_segment_news() returns boolean language sql as 'select pg_try_advisory_xact_lock_shared(7562615)';

create function segment_news_causes(kind text, id text, at timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_array(jsonb_build_object('silent', false, 'cause', jsonb_build_object(
           'type', kind, 'id', id, 'at', (extract(epoch from at) * 1000000)::bigint)))
$$;

create function note_new_messages() returns trigger language plpgsql as $$
declare sure boolean := begin_segment_news();
begin
  insert into segment_news (player_id, brand_id, causes)
  select n.player_id, n.brand_id, segment_news_causes('message', n.message_id::text, n.live_at)
    from news n
   where n.live_at is not null
     and (not sure or n.brand_id in (select brand_id from segment_active where 'message' = any(kinds)));
  return null;
end
$$;
create trigger note_new_messages after insert on notification
  referencing new table as news for each statement execute function note_new_messages();

create function note_changed_messages() returns trigger language plpgsql as $$
declare sure boolean := begin_segment_news();
begin
  insert into segment_news (player_id, brand_id, causes)
  select n.player_id, n.brand_id, segment_news_causes('message', n.message_id::text,
           greatest(n.live_at, n.shown_at, n.read_at, n.clicked_at, n.closed_at, n.state_since))
    from news n join olds o using (message_id)
   where (n.live_at is not null or o.live_at is not null)
     and (n.live_at, n.state, n.shown_at, n.read_at, n.clicked_at, n.closed_at)
           is distinct from (o.live_at, o.state, o.shown_at, o.read_at, o.clicked_at, o.closed_at)
     and (not sure or n.brand_id in (select brand_id from segment_active where 'message' = any(kinds)));
  return null;
end
$$;
create trigger note_changed_messages after update on notification
  referencing old table as olds new table as news for each statement execute function note_changed_messages();

create function note_new_offers() returns trigger language plpgsql as $$
declare sure boolean := begin_segment_news();
begin
  insert into segment_news (player_id, brand_id, causes)
  select n.player_id, n.brand_id, segment_news_causes('offer', n.intent_id::text, n.state_since)
    from news n
   where n.offered and n.state = 'offered'
     and (not sure or n.brand_id in (select brand_id from segment_active where 'offer' = any(kinds)));
  return null;
end
$$;
create trigger note_new_offers after insert on bonus_intent
  referencing new table as news for each statement execute function note_new_offers();

create function note_changed_offers() returns trigger language plpgsql as $$
declare sure boolean := begin_segment_news();
begin
  insert into segment_news (player_id, brand_id, causes)
  select n.player_id, n.brand_id, segment_news_causes('offer', n.intent_id::text, n.state_since)
    from news n join olds o using (intent_id)
   where n.offered and (n.state, n.expires_at) is distinct from (o.state, o.expires_at)
     and (not sure or n.brand_id in (select brand_id from segment_active where 'offer' = any(kinds)));
  return null;
end
$$;
create trigger note_changed_offers after update on bonus_intent
  referencing old table as olds new table as news for each statement execute function note_changed_offers();

create table player_tag ( -- cell
  player_id   bigint not null,
  tag         text not null,
  brand_id    int not null,
  tagged_at   timestamptz not null,
  tagged_by   text not null,
  primary key (player_id, tag)
);
create index player_tag_brand on player_tag (brand_id, tag, player_id);

-- Each time a tag was set or removed. The timeline of the player shows both.
create table player_tag_change ( -- cell
  number      bigint generated always as identity,
  change_id   bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  player_id   bigint not null,
  brand_id    int not null,
  tag         text not null,
  action      text not null check (action in ('add', 'remove')),
  at          timestamptz not null,
  changed_by  text not null
);
create index player_tag_change_player on player_tag_change (player_id, at, change_id);

-- Content that was created for the demo brand (src/demo/README.md). If staff delete it, it is not created again.
create table demo_gift ( -- control
  brand_id  int not null,
  kind      text not null check (kind in ('segment', 'template', 'campaign')),
  code      text not null,
  made_at   timestamptz not null,
  primary key (brand_id, kind, code)
);

-- Buckets whose segments are not updated because a round of the lane fails for them (src/segments/membership/live/apart.ts). A
-- row is deleted when a round succeeds.
create table segment_bucket_failure ( -- cell: its own
  bucket     smallint primary key,
  since      timestamptz not null,
  failed_at  timestamptz not null,
  failures   int not null default 1,
  reason     text not null
);

-- Players whose segments are not updated because a round of the lane fails for them alone (src/segments/membership/live/isolate.ts). A
-- row is deleted when a round succeeds.
create table segment_player_failure ( -- cell
  player_id  bigint primary key,
  brand_id   int not null,
  since      timestamptz not null,
  failed_at  timestamptz not null,
  failures   int not null default 1,
  reason     text not null
);
create index segment_player_failure_brand on segment_player_failure (brand_id, since, player_id);

-- Differences that a recomputation found and corrected. Each raises an alarm.
create table segment_difference ( -- cell
  player_id   bigint not null,
  version_id  int not null,
  found_at    timestamptz not null,
  brand_id    int not null,
  -- The result of the recomputation.
  is_member   boolean not null,
  primary key (player_id, version_id, found_at)
);
create index segment_difference_version on segment_difference (version_id, found_at);
