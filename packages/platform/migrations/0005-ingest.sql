-- Events that could not be accepted, once per identical body, until a person corrects or dismisses them
-- (docs/reference/decisions.md 1, "Invalid events"; src/ingest/README.md).
create table quarantine ( -- control
  quarantine_id    bigint generated always as identity primary key,
  brand_id         int not null,
  kind             text not null,
  -- SHA-256 of the body: a body of 1 MiB is no key for an index.
  body_sha256      bytea not null check (length(body_sha256) = 32),
  body             bytea not null,
  -- [{path, rule, message}]
  reasons          jsonb not null,
  -- user_id where it could be read, to find what belongs to a player.
  user_id          text,
  tries            int not null default 1,
  first_at         timestamptz not null,
  last_at          timestamptz not null,
  state            text not null default 'open' check (state in ('open', 'reinjected', 'dismissed')),
  resolved_at      timestamptz,
  resolved_by      text,
  note             text,
  -- What was re-injected, where a person corrected it.
  corrected_body   bytea,
  -- Whom the corrected body names, where it is not the one above.
  corrected_user_id text,
  -- No JSON: whom such a body names can only be guessed, so it is kept for a shorter time.
  unreadable       boolean not null default false,
  unique (brand_id, kind, body_sha256)
);
create index quarantine_newest on quarantine (brand_id, last_at desc, quarantine_id desc);
create index quarantine_open on quarantine (brand_id, last_at desc, quarantine_id desc) where state = 'open';
