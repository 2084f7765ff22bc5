-- What becomes of old messages, and of the keys of requests (src/channels/notifications/old.ts).

alter table notification_request add column made_at timestamptz not null default now();
create index notification_request_made on notification_request (made_at);
-- Of a brand, those at their end, the longest first.
create index notification_ended on notification (brand_id, state_since) where state not in ('held', 'live');
