-- A brand's pair of push keys can be replaced (src/channels/push/vapid.ts); a device stays with the pair that it subscribed with.
alter table push_key drop constraint push_key_pkey;
alter table push_key
  add column key_id bigint generated always as identity primary key,
  -- Null: the pair that devices subscribe with now.
  add column replaced_at timestamptz,
  -- Nothing is signed with it any more, and its devices go.
  add column revoked_at timestamptz,
  add unique (brand_id, public_key),
  add check (revoked_at is null or replaced_at is not null);
create unique index push_key_current on push_key (brand_id) where replaced_at is null;

alter table push_subscription add column key_id bigint;
update push_subscription s set key_id = k.key_id from push_key k where k.brand_id = s.brand_id;
-- Of a pair that somebody has deleted: no push service takes anything for them.
delete from push_subscription where key_id is null;
alter table push_subscription
  alter column key_id set not null,
  add foreign key (key_id) references push_key;
create index push_subscription_key on push_subscription (key_id, subscription_id);
