-- Brands, their settings, and the keys by which their operators publish (docs/reference/decisions.md 1: only a SHA-256 of a key is stored).
create table brand ( -- control
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

create table api_key ( -- control
  api_key_id  int generated always as identity primary key,
  brand_id    int not null references brand,
  name        text not null,
  sha256      bytea not null unique check (length(sha256) = 32),
  declared    boolean not null default false,
  created_at  timestamptz not null default now(),
  revoked_at  timestamptz,
  unique (brand_id, name)
);

-- Ids of what belongs to a player tell the player's bucket in their low 6 bits (docs/decisions/1203): the bits above count, so
-- that ids of one table ascend with time. `of` is the bucket, or any id of the player's. Counting to 2^47, an id is below 2^53.
create function id_in_bucket(number bigint, of bigint) returns bigint
  language sql immutable strict parallel safe
  return (number << 6) | (of & 63);

-- The identity of a player: the one place where the operator's user_id becomes the internal number that every other
-- table leads with. It is also the integer UserId of the notification API (docs/reference/decisions.md 8).
create table player ( -- cell
  number      bigint generated always as identity,
  player_id   bigint generated always as (id_in_bucket(number, bucket)) stored primary key,
  brand_id    int not null,
  user_id     text not null,
  -- hash(brand, user_id) mod 64, for life: also that of an erased player.
  bucket      smallint not null check (bucket between 0 and 63),
  created_at  timestamptz not null default now(),
  -- Set on the tombstone that an erasure leaves, which keeps player_id valid wherever it is referred to. Its user_id is then
  -- 'erased:' and random.
  erased_at   timestamptz,
  unique (brand_id, user_id)
);
-- The search for players by the beginning of a user_id (src/console/players/store.ts), byte by byte, so that an index serves it
-- whatever the collation of the database.
create index player_search on player (brand_id, user_id collate "C");
-- The players of a brand bucket by bucket: a bucket is a random sample (src/segments/preview/sample.ts).
create index player_of_bucket on player (brand_id, bucket, player_id) where erased_at is null;
