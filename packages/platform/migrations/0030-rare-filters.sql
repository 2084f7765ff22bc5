-- Lists by what few rows have: without these a page of them reads all of the brand (src/actions/intents/listing.ts).
create index bonus_intent_activity on bonus_intent (brand_id, activity_id, created_at, intent_id) where activity_id is not null;
create index bonus_intent_code on bonus_intent (brand_id, bonus_code, created_at, intent_id);
-- Looks that wait, the oldest first; and those that failed (src/actions/resolution/listing.ts).
create index bonus_resolution_request_waiting on bonus_resolution_request (brand_id, requested_at);
create index bonus_resolution_request_failing on bonus_resolution_request (brand_id, requested_at) where tries > 0;
