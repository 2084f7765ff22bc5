-- Which transaction wrote an end of sessions: numbers are given before the commit, so whether an end was there when an operator was
-- asked about a sid is told by the snapshot of that moment, not by numbers (src/site/session/end-store.ts).
alter table site_session_end add column written_by xid8 not null default pg_current_xact_id();
