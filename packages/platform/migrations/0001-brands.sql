-- Brands, their settings, and the API keys with which their operators publish. Only the SHA-256 of a key is stored
-- (docs/reference/decisions.md 1).
create table brand ( -- control
  brand_id    int generated always as identity primary key,
  code        text not null unique,
  name        text not null,
  -- True if the brand is in the configuration file. The file then overwrites the settings at every start.
  declared    boolean not null default false,
  -- BrandSettings of src/brands/settings.ts, without secrets.
  settings    jsonb not null,
  -- Secrets such as operator credentials and the test sid, encrypted with AES-256-GCM and a key derived from CROUPIER_SECRET.
  secrets     bytea,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

-- The size of each brand's control group over time. Results need it to tell whether the group has as many players as it should. A trigger
-- writes it, because settings are written by the configuration file, the console and the command line.
create table brand_holdout ( -- control
  brand_id  int not null references brand,
  since     timestamptz not null default clock_timestamp(),
  percent   numeric not null,
  primary key (brand_id, since)
);

create function note_holdout() returns trigger language plpgsql as $$
declare
  now_held numeric := coalesce((new.settings #>> '{holdout,percent}')::numeric, 0);
begin
  if tg_op = 'INSERT' or now_held <> coalesce((old.settings #>> '{holdout,percent}')::numeric, 0) then
    insert into brand_holdout (brand_id, percent) values (new.brand_id, now_held);
  end if;
  return null;
end $$;
create trigger note_holdout after insert or update of settings on brand for each row execute function note_holdout();

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

-- Makes an id whose low 6 bits contain the player's bucket (docs/decisions/1203). The higher bits are `number`, which the
-- caller counts up, so the ids of one table ascend with time. `of` is the bucket, or any id of the player. The number may be
-- up to 2^47, so an id is below 2^53.
create function id_in_bucket(number bigint, of bigint) returns bigint
  language sql immutable strict parallel safe
  return (number << 6) | (of & 63);

-- The identity of a player. Only this table maps the operator's user_id to the internal number with which the keys of all
-- other tables begin. It is also the integer UserId of the notification API (docs/reference/decisions.md 8).
create table player ( -- cell
  number      bigint generated always as identity,
  player_id   bigint generated always as (id_in_bucket(number, bucket)) stored primary key,
  brand_id    int not null,
  user_id     text not null,
  -- hash(brand, user_id) mod 64. It never changes, not even when the player is erased.
  bucket      smallint not null check (bucket between 0 and 63),
  created_at  timestamptz not null default now(),
  -- Set on the row that an erasure leaves, so that player_id stays valid wherever it is used. The user_id is then 'erased:'
  -- and a random text.
  erased_at   timestamptz,
  unique (brand_id, user_id)
);
-- For the search by the beginning of a user_id (src/console/players/store.ts). It compares byte by byte, so that an index can
-- serve it with every collation.
create index player_search on player (brand_id, user_id collate "C");
-- The players of a brand by bucket. A bucket is a random sample of the players (src/segments/preview/sample.ts).
create index player_of_bucket on player (brand_id, bucket, player_id) where erased_at is null;
