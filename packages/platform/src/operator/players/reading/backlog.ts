import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type LookUp, lookUps } from '../../judging/index.ts';
import { lanes } from '../sync/lane.ts';

/**
 * Look-ups that wait at one endpoint of a brand's operator. No figure exceeds `mostCounted`, which therefore means "that many
 * or more". The figures are read every two seconds, also while an operator is down and hundreds of thousands of look-ups wait.
 */
export interface LookUpBacklog {
  look_up: LookUp;
  /** Look-ups that are due now, or open. */
  due: number;
  oldest_due_at: Micros | null;
  /** Look-ups that wait for their next try, among the `mostCounted` rows of each lane that become due next, including parked ones. */
  retrying: number;
  /** Players whom the operator does not know, including those whose look-up is no longer retried automatically. */
  parked: number;
}

export const mostCounted = 10_000;

/**
 * One entry per look-up that has waiting rows.
 *
 * Every count reads at most `mostCounted` rows of a lane through an index. With 300,000 due rows that takes 7 to 18 ms
 * (vacuumed or not); counting all of them took 90 to 130 ms. With as many retrying and parked rows in addition, it takes 30
 * ms instead of 180 ms. The due time of an open look-up is the end of its claim, some seconds from now, so it comes first
 * among the rows ahead.
 */
export async function readBacklog(pool: Pool, brandId: number): Promise<LookUpBacklog[]> {
  const { rows } = await pool.query<LookUpBacklog>(
    `select look_up, least(overdue + under_way, $4)::int as due, oldest_due_at, retrying, parked
       from unnest($2::text[]) as l (look_up)
      cross join lateral (
        select count(*)::int as overdue
          from (select from unnest($3::smallint[]) as w (lane)
                 cross join lateral (select from player_sync s
                                      where s.brand_id = $1 and s.look_up = l.look_up and s.lane = w.lane and s.due_at <= now()
                                      limit $4) one
                 limit $4) looked_at
      ) overdue
      cross join lateral (
        select min(due_at) as oldest_due_at
          from unnest($3::smallint[]) as w (lane)
         cross join lateral (select s.due_at from player_sync s
                              where s.brand_id = $1 and s.look_up = l.look_up and s.lane = w.lane and s.due_at <= now()
                              order by s.due_at limit 1) first
      ) oldest
      cross join lateral (
        select count(*) filter (where claim is not null)::int as under_way,
               least(count(*) filter (where claim is null and not parked), $4)::int as retrying
          from unnest($3::smallint[]) as w (lane)
         cross join lateral (select s.claim, s.parked from player_sync s
                              where s.brand_id = $1 and s.look_up = l.look_up and s.lane = w.lane and s.due_at > now()
                              order by s.due_at limit $4) next
      ) ahead
      cross join lateral (
        select count(*)::int as parked
          from (select from player_sync s where s.brand_id = $1 and s.look_up = l.look_up and s.parked limit $4) looked_at
      ) parked
      where overdue + under_way + retrying + parked > 0
      order by look_up`,
    [brandId, lookUps, Object.values(lanes), mostCounted],
  );
  return rows;
}
