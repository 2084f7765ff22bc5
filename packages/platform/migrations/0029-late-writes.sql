-- Writes of unknown outcome that may take effect at the operator late, after a newer change was stored
-- (src/operator/records/own-changes.ts).
alter table write_back_item
  -- Until then an opt-in (or the removal of a block) of this type, sent before without a clear answer, may come late.
  add column late_until timestamptz,
  -- A look-up asked after the operator had stored the change has said the same.
  add column seen boolean not null default false;
