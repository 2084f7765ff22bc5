-- Pictures of a brand for messages (src/media/README.md).

create table media_file ( -- control
  brand_id    int not null,
  -- The first 132 bits of the SHA-256 of the content. It is part of the picture's address, so an address never shows another
  -- picture.
  digest      text not null,
  -- The name that people see.
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
-- Pictures are already compressed.
alter table media_file alter column content set storage external;
