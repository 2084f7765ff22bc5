-- Pictures of a brand that messages show (src/media/README.md).

create table media_file ( -- control
  brand_id    int not null,
  -- Of the content, 132 bits of its SHA-256: names the file in its address, so that what an address shows never changes.
  digest      text not null,
  -- For people.
  name        text not null,
  type        text not null check (type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  width       int not null,
  height      int not null,
  bytes       int not null,
  content     bytea not null,
  created_at  timestamptz not null,
  created_by  text not null,
  primary key (brand_id, digest)
);
create index media_file_newest on media_file (brand_id, created_at desc, digest);
-- Pictures are compressed already.
alter table media_file alter column content set storage external;
