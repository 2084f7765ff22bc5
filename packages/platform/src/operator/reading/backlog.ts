import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { LookUp } from '../judge/judgement.ts';

/** What waits at one endpoint of a brand's operator. */
export interface LookUpBacklog {
  look_up: LookUp;
  /** Due now, or under way. */
  due: number;
  oldest_due_at: Micros | null;
  /** Waiting for their next try. */
  retrying: number;
  parked: number;
}

export async function readBacklog(pool: Pool, brandId: number): Promise<LookUpBacklog[]> {
  const { rows } = await pool.query<LookUpBacklog>(
    `select look_up,
            count(*) filter (where due_at <= now() or claim is not null)::int as due,
            min(due_at) filter (where due_at <= now()) as oldest_due_at,
            count(*) filter (where due_at > now() and claim is null and not parked)::int as retrying,
            count(*) filter (where parked)::int as parked
       from player_sync
      where brand_id = $1 and due_at is not null
      group by look_up
      order by look_up`,
    [brandId],
  );
  return rows;
}
