-- How often in a row the step was held, or failed: an erasure that is held asks again less and less often.
alter table erasure add column tries int not null default 0;
