-- Campaigns (src/campaigns/README.md): the runs of players, their positions, and the result of each step.

create table campaign ( -- control
  campaign_id  int generated always as identity primary key,
  brand_id     int not null,
  -- Also the reference of its messages and bonus intents (campaign_id, activity_id).
  code         text not null,
  name         text not null,
  -- src/campaigns/documents/state.ts
  state        text not null check (state in ('draft', 'live', 'paused', 'stopped', 'failed')),
  -- Why the campaign failed.
  reason       text,
  -- Percent of the players who may enter.
  share        int not null default 100 check (share between 0 and 100),
  -- Since when its limits are checked (src/campaigns/halt): the time at which it was published, resumed or ramped.
  watched_since  timestamptz,
  -- The last resume. Earlier entries do not count toward the limit `entered_per_day`. Null: it was never resumed.
  day_counted_since  timestamptz,
  -- When it halted automatically, for `reason`. Null: it did not, or a person has resumed it since.
  halted_at    timestamptz,
  -- Since when its limits cannot be checked, and why. Null: the last check succeeded, or it is not checked.
  unchecked_since  timestamptz,
  unchecked_reason text,
  created_at   timestamptz not null,
  created_by   text not null,
  unique (brand_id, code)
);

-- A published version never changes. Active runs continue on their version.
create table campaign_version ( -- control
  version_id    int generated always as identity primary key,
  campaign_id   int not null references campaign on delete cascade,
  version       int not null,
  state         text not null check (state in ('draft', 'published', 'retired')),
  document      json not null,
  created_at    timestamptz not null,
  created_by    text not null,
  published_at  timestamptz,
  published_by  text,
  -- For a draft that waits for a second person: when and by whom publication was requested, and why it needs approval.
  approval      jsonb,
  -- For a draft whose last request was rejected: when, by whom and why. A new request removes it.
  rejection     jsonb,
  -- Whether active runs move to it if all their steps still exist.
  moves_runs    boolean not null default false,
  -- The person who approved it. Null: no approval was needed.
  approved_by   text,
  unique (campaign_id, version)
);
create unique index campaign_version_draft on campaign_version (campaign_id) where state = 'draft';
create unique index campaign_version_published on campaign_version (campaign_id) where state = 'published';

-- The campaigns that this cell runs. Recording events and moving runs read this table and no control table.
create table campaign_active ( -- cell: its own
  campaign_id  int primary key,
  brand_id     int not null,
  -- Queued messages and bonuses find their campaign by its code (src/outgoing/campaign-hold.ts).
  code         text not null,
  -- The version that players enter.
  version_id   int not null,
  -- paused: no player enters, and effects wait. stopped: all runs exit, and what they ordered is withdrawn.
  phase        text not null check (phase in ('live', 'paused', 'stopped')),
  -- The last time it was stopped. What its runs ordered up to then is never sent, even if the campaign is published again.
  -- Runs that entered before no longer watch for their goal.
  stopped_at   timestamptz,
  -- When the campaign was deleted. The row stays for 30 days, to withdraw what its runs ordered. If a campaign with this code is published
  -- meanwhile, it takes over the row.
  deleted_at   timestamptz,
  share        int not null,
  -- Kinds of ledger events that may start or move a run of the campaign, and 'message', 'offer', 'segment', 'tag'.
  kinds        text[] not null,
  -- Kinds of events that are the goal of one of its versions, with the names that campaigns use.
  goal_kinds   text[] not null,
  -- Versions whose active runs move to version_id.
  moves_from   int[] not null,
  -- The products of each version that has some, by its version_id. In some markets, a message about products needs a consent
  -- for each product, also when it is sent (src/channels/products.ts).
  products     jsonb not null default '{}',
  -- The segment whose transitions start runs, and which transitions do.
  segment_code text,
  transition   text check (transition in ('entered', 'left'))
);
create unique index campaign_active_code on campaign_active (brand_id, code);

-- Campaigns with a schedule.
create table campaign_schedule ( -- cell: its own
  campaign_id    int primary key,
  schedule       jsonb not null,
  -- Starts exist for all times of the schedule up to here.
  planned_until  timestamptz not null
);

-- Scheduled starts that are due, with their progress through the players (src/campaigns/starts).
create table campaign_start ( -- cell: its own
  campaign_id  int not null,
  -- The local time, such as 2026-12-24T18:00. It identifies the cause: a player enters once for each local time,
  -- regardless of the zone.
  local        text not null,
  -- The moment of that local time in the zones of this start.
  due_at       timestamptz not null,
  brand_id     int not null,
  state        text not null check (state in ('running', 'done', 'skipped', 'stopped', 'failed')),
  -- Why it ended early, or what it waits for.
  reason       text,
  -- Players up to this one were processed.
  after_id     bigint not null default 0,
  looked       int not null default 0,
  total        int,
  entered      int not null default 0,
  started_at   timestamptz,
  finished_at  timestamptz,
  primary key (campaign_id, local, due_at)
);
create index campaign_start_running on campaign_start (due_at) where state = 'running';

-- Changes that may start or move runs and are not processed yet. They are written in the transaction of their cause, and
-- deleted in the transaction of their effects.
create table campaign_news ( -- cell
  number     bigint generated always as identity,
  news_id    bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  player_id  bigint not null,
  brand_id   int not null,
  -- src/campaigns/news/news.ts
  news       jsonb not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index campaign_news_player on campaign_news (player_id);

-- Events that withdraw what started a run: a deposit was rolled back, a bonus reversed. They are noted because an event that another process
-- of the operator sent may be derived before the event that it withdraws. Rows are deleted after a day.
create table campaign_withdrawal ( -- cell
  player_id  bigint not null,
  -- What is withdrawn (src/campaigns/news/withdrawn.ts).
  thing      text not null,
  -- The time of the withdrawal. A later event, such as a second try of the payment, is not withdrawn.
  at         timestamptz not null,
  noted_at   timestamptz not null,
  primary key (player_id, thing)
);
create index campaign_withdrawal_noted on campaign_withdrawal (noted_at);

-- Records transitions that a campaign or a run waits for as news, in the transaction that writes them. Silent transitions
-- start no run, but they can end a wait for a rule about segments.
create function note_segment_transitions() returns trigger language plpgsql as $$
begin
  insert into campaign_news (player_id, brand_id, news)
  select t.player_id, t.brand_id,
         jsonb_build_object('type', 'segment', 'id', t.transition_id::text, 'code', a.code, 'transition', t.transition,
                            'at', (extract(epoch from t.at) * 1000000)::bigint)
    from transitions t
    join (select distinct s.segment_id, s.code, c.transition
            from campaign_active c join segment_active s on s.brand_id = c.brand_id and s.code = c.segment_code) a
      on a.segment_id = t.segment_id and a.transition = t.transition
   where not t.silent;
  insert into campaign_news (player_id, brand_id, news)
  select t.player_id, t.brand_id,
         jsonb_build_object('type', 'changed', 'what', 'segment', 'at', (extract(epoch from max(t.at)) * 1000000)::bigint)
    from transitions t
   where t.brand_id = any(array(select brand_id from campaign_active where 'segment' = any(kinds)))
     and exists (select from campaign_run r where r.player_id = t.player_id and r.state = 'waiting')
   group by t.player_id, t.brand_id;
  return null;
end
$$;
create trigger note_segment_transitions after insert on segment_transition
  referencing new table as transitions for each statement execute function note_segment_transitions();

-- One run: one player in one version, for one cause.
create table campaign_run ( -- cell
  number       bigint generated always as identity,
  run_id       bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  player_id    bigint not null,
  brand_id     int not null,
  campaign_id  int not null,
  version_id   int not null,
  -- A cause creates one run, even if it is repeated.
  cause_key    text not null,
  -- The event with its fields, for conditions and templates (src/campaigns/news/news.ts).
  cause        jsonb not null,
  state        text not null check (state in ('active', 'waiting', 'held', 'done', 'goal_reached', 'exited', 'failed')),
  reason       text,
  -- Step, wait, variants and whether there was an effect, in the format of packages/campaigns.
  position     jsonb not null,
  -- The time at which the run may move without an event.
  due_at       timestamptz,
  -- Of a run that is over: until when its goal counts. Null: it does not watch for a goal (any more).
  goal_until   timestamptz,
  entered_at   timestamptz not null,
  moved_at     timestamptz not null,
  unique (player_id, campaign_id, cause_key)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index campaign_run_due on campaign_run (due_at) where due_at is not null;
create index campaign_run_open on campaign_run (player_id) where state in ('active', 'waiting', 'held');
-- Runs that watch for their goal. This index is read only for events of a kind that is a goal.
create index campaign_run_goal on campaign_run (player_id) where goal_until is not null;
-- Between two transactions, the only active runs are those that a schedule created and that wait for their first step.
-- Statements that read them have the same condition (isUnbegun in src/campaigns/runs/store.ts). It is not `state = 'active'`, so that the
-- planner never uses an index of all open runs for them.
create index campaign_run_unbegun on campaign_run (campaign_id, run_id) where (state = 'active') is not false;
-- For lists of runs by an outcome that few runs of a campaign have. Without it, such a list reads all runs of the campaign.
create index campaign_run_rare on campaign_run (campaign_id, state, run_id) where state in ('held', 'goal_reached', 'exited', 'failed');
-- For the limits of campaigns (src/campaigns/halt): the newest runs that ended. They need not be among the newest that entered.
create index campaign_run_ended on campaign_run (campaign_id, moved_at) where state in ('done', 'goal_reached', 'exited', 'failed');
create index campaign_run_campaign on campaign_run (campaign_id, run_id);
-- Its last column finds the due runs of one campaign beside a backlog of another (lockDueRuns in src/campaigns/runs/store.ts).
create index campaign_run_open_campaign on campaign_run (campaign_id, version_id, due_at) where state in ('active', 'waiting', 'held');
-- Runs that are held because the campaign is paused.
create index campaign_run_paused on campaign_run (campaign_id, run_id) where state = 'held' and reason = 'paused';
-- Runs that failed because of their data (src/campaigns/runs/spoiled.ts), for the alarm and the metric.
create index campaign_run_spoiled on campaign_run (brand_id, campaign_id) where state = 'failed' and reason like 'cannot be processed: %';

-- The timeline of a run: each step that it reached, with the outcome.
create table campaign_run_step ( -- cell
  number       bigint generated always as identity,
  story_id     bigint generated always as (id_in_bucket(number, player_id)) stored primary key,
  player_id    bigint not null,
  run_id       bigint not null,
  campaign_id  int not null,
  version_id   int not null,
  step         text not null,
  state        text not null,
  at           timestamptz not null,
  reason       text,
  variant      text,
  -- The message or intent that the step created, and the decision of the gate.
  effect       jsonb
);
create index campaign_run_step_run on campaign_run_step (run_id, story_id);
create index campaign_run_step_player on campaign_run_step (player_id);
-- For the limits of campaigns: the newest effects. It contains no waits, which most steps of a large start are.
create index campaign_run_step_asked on campaign_run_step (campaign_id, story_id) where effect is not null or state = 'withheld';
create index campaign_run_step_withheld on campaign_run_step (campaign_id, run_id) where state = 'withheld';
-- For lists of players by what became of a message or an intent. Without them, a page of the withheld effects reads all steps of the
-- campaign if few were withheld.
create index campaign_run_step_message on campaign_run_step (((effect ->> 'message_id')::bigint)) where effect ? 'message_id';
create index campaign_run_step_intent on campaign_run_step (((effect ->> 'intent_id')::uuid)) where effect ? 'intent_id';
-- For the results by step. Without it, a campaign with 2,000 steps reads those of all campaigns: 247 ms beside 2,000,000 steps, and
-- 18 ms with it. Lists of the runs at a step read it from the newest run. It takes 31 bytes per step.
create index campaign_run_step_campaign on campaign_run_step (campaign_id, step, run_id);
create index campaign_run_step_control on campaign_run_step (campaign_id, run_id) where state = 'control';
-- For results: control arms, and effects with what they created.
create index campaign_run_step_results on campaign_run_step (campaign_id, run_id) where state = 'control' or effect is not null;

-- Records changes of messages, records, tags and offers for runs that wait for a rule about them, in the transaction of the
-- change, as for segments (0017-segments.sql).
create function campaign_news_change(kind text, at timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object('type', 'changed', 'what', kind, 'at', (extract(epoch from at) * 1000000)::bigint)
$$;

create function note_campaign_messages() returns trigger language plpgsql as $$
begin
  insert into campaign_news (player_id, brand_id, news)
  select n.player_id, n.brand_id, campaign_news_change('message', n.live_at)
    from news n
   where n.live_at is not null and n.brand_id = any(array(select brand_id from campaign_active where 'message' = any(kinds)));
  return null;
end
$$;
create trigger note_campaign_messages after insert on notification
  referencing new table as news for each statement execute function note_campaign_messages();

create function note_campaign_changed_messages() returns trigger language plpgsql as $$
begin
  insert into campaign_news (player_id, brand_id, news)
  select n.player_id, n.brand_id, campaign_news_change('message',
           greatest(n.live_at, n.shown_at, n.read_at, n.clicked_at, n.closed_at, n.state_since))
    from news n join olds o using (message_id)
   where (n.live_at is not null or o.live_at is not null)
     and (n.live_at, n.state, n.shown_at, n.read_at, n.clicked_at, n.closed_at)
           is distinct from (o.live_at, o.state, o.shown_at, o.read_at, o.clicked_at, o.closed_at)
     and n.brand_id = any(array(select brand_id from campaign_active where 'message' = any(kinds)));
  return null;
end
$$;
create trigger note_campaign_changed_messages after update on notification
  referencing old table as olds new table as news for each statement execute function note_campaign_changed_messages();

create function note_campaign_tags() returns trigger language plpgsql as $$
begin
  insert into campaign_news (player_id, brand_id, news)
  select n.player_id, n.brand_id, campaign_news_change('tag', n.at)
    from news n
   where n.brand_id = any(array(select brand_id from campaign_active where 'tag' = any(kinds)));
  return null;
end
$$;
create trigger note_campaign_tags after insert on player_tag_change
  referencing new table as news for each statement execute function note_campaign_tags();

-- Details, consents and blocks. Most look-ups change some, so only waiting players are evaluated again.
create function note_campaign_records() returns trigger language plpgsql as $$
begin
  insert into campaign_news (player_id, brand_id, news)
  select n.player_id, n.brand_id, campaign_news_change('record', n.at)
    from news n
   where n.brand_id = any(array(select brand_id from campaign_active where 'record' = any(kinds)))
     and exists (select from campaign_run r where r.player_id = n.player_id and r.state = 'waiting');
  return null;
end
$$;
create trigger note_campaign_records after insert on record_change
  referencing new table as news for each statement execute function note_campaign_records();

create function note_campaign_offers() returns trigger language plpgsql as $$
begin
  insert into campaign_news (player_id, brand_id, news)
  select n.player_id, n.brand_id, campaign_news_change('offer', n.state_since)
    from news n
   where n.offered and n.state = 'offered'
     and n.brand_id = any(array(select brand_id from campaign_active where 'offer' = any(kinds)));
  return null;
end
$$;
create trigger note_campaign_offers after insert on bonus_intent
  referencing new table as news for each statement execute function note_campaign_offers();

create function note_campaign_changed_offers() returns trigger language plpgsql as $$
begin
  insert into campaign_news (player_id, brand_id, news)
  select n.player_id, n.brand_id, campaign_news_change('offer', n.state_since)
    from news n join olds o using (intent_id)
   where n.offered and (n.state, n.expires_at) is distinct from (o.state, o.expires_at)
     and n.brand_id = any(array(select brand_id from campaign_active where 'offer' = any(kinds)));
  return null;
end
$$;
create trigger note_campaign_changed_offers after update on bonus_intent
  referencing old table as olds new table as news for each statement execute function note_campaign_changed_offers();

-- Backtests: a campaign over past events (src/scenarios/backtest), with the request and the progress.
create table campaign_backtest ( -- cell: its own
  backtest_id   int generated always as identity primary key,
  campaign_id   int not null,
  brand_id      int not null,
  version       int not null,
  -- The document at the time of the request.
  document      json not null,
  from_at       timestamptz not null,
  until_at      timestamptz not null,
  -- Maximum number of players to try.
  most_players  int not null,
  state         text not null check (state in ('queued', 'running', 'done', 'cancelled', 'failed')),
  reason        text,
  -- Number of completed buckets; and for the current bucket, its candidates and how many of them were processed.
  buckets       int not null default 0,
  of_bucket     int not null default 0,
  place         int not null default 0,
  tried         int not null default 0,
  -- Number of players who could not be tried.
  skipped       int not null default 0,
  created_at    timestamptz not null,
  created_by    text not null,
  finished_at   timestamptz
);
create index campaign_backtest_campaign on campaign_backtest (campaign_id, backtest_id);
create index campaign_backtest_open on campaign_backtest (backtest_id) where state in ('queued', 'running');

-- What a campaign would have done with players, one row per outcome.
create table campaign_backtest_entry ( -- cell
  player_id    bigint not null,
  backtest_id  int not null,
  number       int not null,
  at           timestamptz not null,
  step         text,
  what         text not null,
  outcome      text not null,
  reason       text,
  variant      text,
  channel      text,
  bonus_code   text,
  amount       numeric,
  currency     text,
  primary key (player_id, backtest_id, number)
);
create index campaign_backtest_entry_backtest on campaign_backtest_entry (backtest_id, player_id, number);
