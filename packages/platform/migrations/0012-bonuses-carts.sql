-- Bonuses and carts (src/derive/bonuses/README.md, src/derive/carts/README.md), and the keys under which operators send
-- segmentation of their own (src/operator/segmentation/README.md).

-- One row per bonus of a player, rewritten with every status that it reaches; none of those columns is indexed.
create table live.bonus (
  player_id               bigint not null,
  user_bonus_id           text not null,
  bonus_id                text not null,
  bonus_code              text,
  product                 text not null,
  type                    text not null,
  status                  text not null,
  -- When the status was reached.
  status_at               timestamptz not null,
  status_day              date not null,
  -- False while it is Reversed: then the bonus is part of no total.
  granted                 boolean not null,
  -- When it was granted.
  at                      timestamptz not null,
  day                     date not null,
  -- Of the latest event.
  amount                  numeric not null,
  currency                text not null,
  exchange_rate           numeric not null,
  base_amount             numeric not null,
  base_turned_real        numeric not null,
  turned_real_at          timestamptz,
  turned_real_day         date,
  base_locked_amount      numeric,
  base_required_wagering  numeric,
  crm_references          jsonb,
  origin                  text not null,
  conflicts               int not null,
  -- The versions of its events, in canonical order (keptEvents, BonusEvent in src/derive/bonuses/bonus.ts).
  events                  jsonb not null,
  primary key (player_id, user_bonus_id)
) with (fillfactor = 80);
create index bonus_by_time on live.bonus (player_id, at);

create table live.bonus_total (
  player_id          bigint not null,
  product            text not null,
  granted_count      int not null,
  turned_real_count  int not null,
  forfeited_count    int not null,
  expired_count      int not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  granted_first_at   timestamptz,
  granted_last_at    timestamptz,
  primary key (player_id, product)
) with (fillfactor = 80);
create table live.bonus_day (
  player_id          bigint not null,
  day                date not null,
  product            text not null,
  granted_count      int not null,
  turned_real_count  int not null,
  forfeited_count    int not null,
  expired_count      int not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  primary key (player_id, day, product)
) with (fillfactor = 80);
create table live.bonus_hour (
  player_id          bigint not null,
  hour               timestamptz not null,
  granted_count      int not null,
  turned_real_count  int not null,
  forfeited_count    int not null,
  expired_count      int not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index bonus_hour_age on live.bonus_hour (hour);
create table live.bonus_brand_day (
  brand_id           int not null,
  day                date not null,
  source             smallint not null,
  players            int not null,
  granted_count      bigint not null,
  turned_real_count  bigint not null,
  forfeited_count    bigint not null,
  expired_count      bigint not null,
  granted_sum        numeric not null,
  turned_real_sum    numeric not null,
  forfeited_sum      numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- One row per cart_id, type, status and timestamp: ids are re-used, so only the four together tell carts apart.
create table live.cart (
  player_id        bigint not null,
  -- 16 bytes: hash of the four.
  cart_key         bytea not null,
  cart_id          text not null,
  type             text not null,
  status           text not null,
  -- A successful checkout: part of the totals.
  counted          boolean not null,
  at               timestamptz not null,
  day              date not null,
  amount           numeric not null,
  currency         text not null,
  exchange_rate    numeric not null,
  base_amount      numeric not null,
  discount_amount  numeric not null,
  base_discount    numeric not null,
  bonus_code       text,
  device_type      text,
  origin           text,
  item_count       int not null,
  items            jsonb not null,
  payments         jsonb not null,
  meta             jsonb,
  conflicts        int not null,
  -- The money of its versions, the one in force first (CartVersion in src/derive/carts/cart.ts).
  versions         jsonb not null,
  primary key (player_id, cart_key)
);
create index cart_by_time on live.cart (player_id, at);

create table live.cart_total (
  player_id      bigint primary key,
  cart_count     int not null,
  item_count     int not null,
  cart_sum       numeric not null,
  discount_sum   numeric not null,
  cart_first_at  timestamptz,
  cart_last_at   timestamptz
) with (fillfactor = 80);
create table live.cart_day (
  player_id     bigint not null,
  day           date not null,
  cart_count    int not null,
  item_count    int not null,
  cart_sum      numeric not null,
  discount_sum  numeric not null,
  primary key (player_id, day)
) with (fillfactor = 80);
create table live.cart_hour (
  player_id     bigint not null,
  hour          timestamptz not null,
  cart_count    int not null,
  item_count    int not null,
  cart_sum      numeric not null,
  discount_sum  numeric not null,
  primary key (player_id, hour)
) with (fillfactor = 80);
create index cart_hour_age on live.cart_hour (hour);
create table live.cart_brand_day (
  brand_id      int not null,
  day           date not null,
  source        smallint not null,
  players       int not null,
  cart_count    bigint not null,
  item_count    bigint not null,
  cart_sum      numeric not null,
  discount_sum  numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

-- Keys of `segmentation` in the details of the brand's players, with each kind of value that was seen under them. It tells
-- what arrived, so it is no derived state.
create table segmentation_key (
  brand_id       int not null,
  key            text not null,
  kind           text not null check (kind in ('number', 'text', 'boolean', 'timestamp', 'other')),
  -- The value that was seen first.
  sample         jsonb not null,
  first_seen_at  timestamptz not null,
  -- Of players whose details changed; moved on at most once a day.
  last_seen_at   timestamptz not null,
  primary key (brand_id, key, kind)
);
