-- Removing facts that are kept for the history only (src/derive/history/prune.ts): one that was stopped goes on where it was, and a
-- batch that has met such facts learns whether some went since it began.

-- The last player done; null when all are.
alter table pruned_fact add column done_to bigint;
-- The transaction that removed facts last.
alter table pruned_fact add column step xid8;
