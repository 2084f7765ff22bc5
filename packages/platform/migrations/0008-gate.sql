-- The gate (src/gate/README.md).

create sequence gate_decision_number;

-- Every decision of the gate. Rows are never updated, because the chain covers them. `inputs` is json, not jsonb, because the
-- digest covers its text.
create table gate_decision ( -- cell
  -- id_in_bucket of the sequence and the player. It is taken before the row is written, because the seal contains it.
  decision_id    bigint primary key,
  brand_id       int not null,
  player_id      bigint not null,
  channel        text not null,
  purpose        text not null,
  outcome        text not null check (outcome in ('allowed', 'withheld', 'held')),
  reason         text,
  cause_kind     text not null,
  cause_id       text not null,
  rule_version   int not null,
  inputs         json not null,
  inputs_sha256  bytea not null check (length(inputs_sha256) = 32),
  -- Age of the oldest fact that was used. Null: a fact was unknown.
  age_ms         bigint,
  decided_at     timestamptz not null,
  expires_at     timestamptz,
  check (decision_id & 63 = player_id & 63)
);
create index gate_decision_brand on gate_decision (brand_id, decided_at desc, decision_id desc);
-- For the list of withheld or held contacts. Without it, a page reads all decisions of 90 days if few of them have that outcome.
create index gate_decision_refused on gate_decision (brand_id, outcome, decided_at desc, decision_id desc) where outcome <> 'allowed';
create index gate_decision_player on gate_decision (player_id, decided_at desc, decision_id desc);
create index gate_decision_cause on gate_decision (cause_id, decision_id);

-- The seal that covers a decision. Null: none yet. It is in its own narrow table, so that sealing does not update the
-- decision.
create table gate_decision_seal ( -- cell
  decision_id  bigint primary key,
  brand_id     int not null,
  seal_no      bigint
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index gate_decision_unsealed on gate_decision_seal (brand_id, decision_id) where seal_no is null;
create index gate_decision_sealed on gate_decision_seal (brand_id, seal_no, decision_id) where seal_no is not null;

-- One row per batch of decisions. Each contains the hash of the previous one. src/gate/chain/seal.ts describes what is hashed.
create table gate_seal ( -- cell: its own
  brand_id       int not null,
  seal_no        bigint not null,
  decisions      int not null check (decisions > 0),
  -- The ids of the covered decisions, ascending, and the 32-byte hash of each in that order. They identify a missing or
  -- altered row.
  decision_ids   bigint[] not null,
  leaves         bytea not null,
  root           bytea not null check (length(root) = 32),
  previous       bytea not null check (length(previous) = 32),
  hash           bytea not null check (length(hash) = 32),
  sealed_at      timestamptz not null,
  primary key (brand_id, seal_no)
);

-- Contacts that are currently held: one row until the final decision. `decision_id` is the record of the first hold.
create table gate_hold ( -- cell
  cause_kind     text not null,
  cause_id       text not null,
  player_id      bigint not null,
  channel        text not null,
  purpose        text not null,
  brand_id       int not null,
  decision_id    bigint not null,
  reason         text not null,
  held_since     timestamptz not null,
  last_asked_at  timestamptz not null,
  expires_at     timestamptz,
  primary key (cause_kind, cause_id, player_id, channel, purpose)
) with (fillfactor = 80);
create index gate_hold_brand on gate_hold (brand_id, held_since, decision_id);
create index gate_hold_asked on gate_hold (last_asked_at);

-- Whether the gate currently holds every contact with the player. It does so if an acknowledged event that can change the
-- player's protection is not applied yet, or if a look-up that such an event requested is not answered yet
-- (docs/decisions/1033). For statements that show something to a player. Sequential scans are off, because a session keeps the
-- plan, and the table of pending events may have been empty when the plan was made.
create function is_unsettled(of_player bigint) returns boolean
  language plpgsql stable set enable_seqscan = off as $$
begin
  return exists (select from player_sync s where s.player_id = of_player and s.news > s.done)
      or exists (select from player p
                  cross join lateral (select player_hash_of(p.brand_id, p.user_id) as player_hash offset 0) h
                   join pending_protection e on e.bucket = (h.player_hash & 63)::smallint and e.player_hash = h.player_hash
                  where p.player_id = of_player);
end
$$;
