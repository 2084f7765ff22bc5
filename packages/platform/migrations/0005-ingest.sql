-- Events that could not be accepted, once per identical body, until a person corrects or dismisses them
-- (docs/reference/decisions.md 1, "Invalid events"; src/ingest/README.md).
create table quarantine ( -- control
  quarantine_id    bigint generated always as identity primary key,
  brand_id         int not null,
  kind             text not null,
  -- SHA-256 of the body. A body of up to 1 MiB is too long for an index.
  body_sha256      bytea not null check (length(body_sha256) = 32),
  body             bytea not null,
  -- [{path, rule, message}]
  reasons          jsonb not null,
  -- The user_id, if it could be read, for finding the rows of a player.
  user_id          text,
  tries            int not null default 1,
  first_at         timestamptz not null,
  last_at          timestamptz not null,
  state            text not null default 'open' check (state in ('open', 'reinjected', 'dismissed')),
  resolved_at      timestamptz,
  resolved_by      text,
  note             text,
  -- The body that was re-injected, if a person corrected it.
  corrected_body   bytea,
  -- The user_id of the corrected body, if it differs from user_id.
  corrected_user_id text,
  -- True if the body is not JSON. Its players can only be guessed, so it is kept for a shorter time.
  unreadable       boolean not null default false,
  unique (brand_id, kind, body_sha256)
);
create index quarantine_newest on quarantine (brand_id, last_at desc, quarantine_id desc);
create index quarantine_open on quarantine (brand_id, last_at desc, quarantine_id desc) where state = 'open';

-- Calls to the event endpoints that were refused before their body was validated, counted by reason, kind of event and key
-- (src/ingest/refused-calls.ts). It has at most 50 rows per brand, and 50 without a brand. It stores no body, no address and no key.
create table refused_call ( -- control
  refused_call_id bigint generated always as identity primary key,
  -- The brand of the key, even if the key was revoked. Null: the call has no key, or one that no brand ever had.
  brand_id        int,
  reason          text not null,
  -- Null: the path or the method belongs to no event, or calls of several kinds are counted together.
  kind            text,
  -- The key, if a brand has or had it.
  api_key_id      int,
  -- The first 8 hexadecimal digits of the SHA-256 of the key. Null: no key, or calls with several keys are counted together.
  key_start       text check (length(key_start) = 8),
  calls           bigint not null,
  first_at        timestamptz not null,
  last_at         timestamptz not null,
  unique nulls not distinct (brand_id, reason, kind, key_start)
);
