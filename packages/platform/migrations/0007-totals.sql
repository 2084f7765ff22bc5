-- Totals are split by the vendor of the payment, and rolled up per brand and day (src/derive/totals/README.md). Rows that are
-- there are filled from the facts, so that nothing has to be rebuilt.

drop table live.payment_total, live.payment_day;

create table live.payment_total (
  player_id            bigint not null,
  vendor_id            text not null,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  deposit_first_at     timestamptz,
  deposit_last_at      timestamptz,
  withdrawal_first_at  timestamptz,
  withdrawal_last_at   timestamptz,
  primary key (player_id, vendor_id)
) with (fillfactor = 80);

insert into live.payment_total
select player_id, vendor_id,
  count(*) filter (where type = 'Credit'),
  trim_scale(coalesce(sum(base_amount) filter (where type = 'Credit'), 0)),
  trim_scale(coalesce(sum(base_fee) filter (where type = 'Credit'), 0)),
  count(*) filter (where type = 'Debit'),
  trim_scale(coalesce(sum(base_amount) filter (where type = 'Debit'), 0)),
  trim_scale(coalesce(sum(base_fee) filter (where type = 'Debit'), 0)),
  max(base_amount) filter (where type = 'Credit'),
  max(base_amount) filter (where type = 'Debit'),
  min(at) filter (where type = 'Credit'), max(at) filter (where type = 'Credit'),
  min(at) filter (where type = 'Debit'), max(at) filter (where type = 'Debit')
from live.payment where counted group by player_id, vendor_id;

create table live.payment_day (
  player_id            bigint not null,
  day                  date not null,
  vendor_id            text not null,
  deposit_count        int not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     int not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  deposit_biggest      numeric,
  withdrawal_biggest   numeric,
  primary key (player_id, day, vendor_id)
) with (fillfactor = 80);

insert into live.payment_day
select player_id, day, vendor_id,
  count(*) filter (where type = 'Credit'),
  trim_scale(coalesce(sum(base_amount) filter (where type = 'Credit'), 0)),
  trim_scale(coalesce(sum(base_fee) filter (where type = 'Credit'), 0)),
  count(*) filter (where type = 'Debit'),
  trim_scale(coalesce(sum(base_amount) filter (where type = 'Debit'), 0)),
  trim_scale(coalesce(sum(base_fee) filter (where type = 'Debit'), 0)),
  max(base_amount) filter (where type = 'Credit'),
  max(base_amount) filter (where type = 'Debit')
from live.payment where counted group by player_id, day, vendor_id;

-- Sums over all players of a brand. `source` is the lowest bucket that the writing worker owned: a day is the sum of its rows.
create table live.payment_brand_day (
  brand_id             int not null,
  day                  date not null,
  source               smallint not null,
  -- Players with a row of that day in payment_day.
  players              int not null,
  deposit_count        bigint not null,
  deposit_sum          numeric not null,
  deposit_fee_sum      numeric not null,
  withdrawal_count     bigint not null,
  withdrawal_sum       numeric not null,
  withdrawal_fee_sum   numeric not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

insert into live.payment_brand_day
select brand_id, day, 0, count(distinct player_id),
  sum(deposit_count), trim_scale(sum(deposit_sum)), trim_scale(sum(deposit_fee_sum)),
  sum(withdrawal_count), trim_scale(sum(withdrawal_sum)), trim_scale(sum(withdrawal_fee_sum))
from live.payment_day join player using (player_id) group by brand_id, day;

create table live.login_brand_day (
  brand_id             int not null,
  day                  date not null,
  source               smallint not null,
  players              int not null,
  login_count          bigint not null,
  logout_count         bigint not null,
  primary key (brand_id, day, source)
) with (fillfactor = 50);

insert into live.login_brand_day
select brand_id, day, 0, count(distinct player_id), sum(login_count), sum(logout_count)
from live.login_day join player using (player_id) group by brand_id, day;

-- Room on each page for the new version of a row that is updated in place, so that its index entries stay as they are.
alter table live.player_activity set (fillfactor = 80);
alter table live.payment_hour set (fillfactor = 80);
alter table live.login_total set (fillfactor = 80);
alter table live.login_day set (fillfactor = 80);
alter table live.login_hour set (fillfactor = 80);
