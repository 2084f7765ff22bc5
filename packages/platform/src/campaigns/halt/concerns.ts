import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/** What about campaigns a person should look at. */
export interface CampaignConcerns {
  /** Campaigns that halted by themselves or failed, the longest first. */
  standing: readonly { code: string; state: 'paused' | 'failed'; reason: string | null; since: Micros | null }[];
}

const mostStanding = 20;

export async function readCampaignConcerns(pool: Pool, brandId: number): Promise<CampaignConcerns> {
  const { rows } = await pool.query<CampaignConcerns['standing'][number]>(
    `select code, state, reason, halted_at as since from campaign
      where brand_id = $1 and (state = 'failed' or state = 'paused' and halted_at is not null)
      order by halted_at nulls first, code limit $2`,
    [brandId, mostStanding],
  );
  return { standing: rows };
}
