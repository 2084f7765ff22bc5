-- Brands, their settings, and the keys by which their operators publish (decisions.md 1: only a SHA-256 of a key is stored).
create table brand (
  brand_id    int generated always as identity primary key,
  code        text not null unique,
  name        text not null,
  -- True when the brand stands in the configuration file: then the file wins over the console at every start.
  declared    boolean not null default false,
  -- BrandSettings of src/brands/settings.ts, without secrets.
  settings    jsonb not null,
  -- Operator credentials, the test sid and the like: AES-256-GCM with a key from CROUPIER_SECRET.
  secrets     bytea,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

create table api_key (
  api_key_id  int generated always as identity primary key,
  brand_id    int not null references brand,
  name        text not null,
  sha256      bytea not null unique check (length(sha256) = 32),
  declared    boolean not null default false,
  created_at  timestamptz not null default now(),
  revoked_at  timestamptz,
  unique (brand_id, name)
);

-- The identity of a player: the one place where the operator's user_id becomes the internal number that every other
-- table leads with. It is also the integer UserId of the notification API (decisions.md 8).
create table player (
  player_id   bigint generated always as identity primary key,
  brand_id    int not null,
  user_id     text not null,
  bucket      smallint not null,
  created_at  timestamptz not null default now(),
  -- Set on the tombstone that an erasure leaves, which keeps player_id valid wherever it is referred to. Its user_id is then
  -- 'erased:' and random.
  erased_at   timestamptz,
  unique (brand_id, user_id)
);
-- The search for players by the beginning of a user_id (src/console/players/store.ts), byte by byte, so that an index serves it
-- whatever the collation of the database.
create index player_search on player (brand_id, user_id collate "C");
