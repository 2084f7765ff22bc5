import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/** Campaigns that need a person's attention. */
export interface CampaignConcerns {
  /** Campaigns that halted automatically or failed, oldest first. */
  stopped: readonly { code: string; state: 'paused' | 'failed'; reason: string | null; since: Micros | null }[];
  /** Live campaigns whose limits cannot be checked, so that they do not halt; oldest first. */
  unchecked: readonly { code: string; reason: string | null; since: Micros | null }[];
}

const mostListed = 20;

export async function readCampaignConcerns(pool: Pool, brandId: number): Promise<CampaignConcerns> {
  const { rows } = await pool.query<CampaignConcerns['stopped'][number]>(
    `select code, state, reason, halted_at as since from campaign
      where brand_id = $1 and (state = 'failed' or state = 'paused' and halted_at is not null)
      order by halted_at nulls first, code limit $2`,
    [brandId, mostListed],
  );
  const { rows: unchecked } = await pool.query<CampaignConcerns['unchecked'][number]>(
    `select code, unchecked_reason as reason, unchecked_since as since from campaign
      where brand_id = $1 and state = 'live' and unchecked_since is not null
      order by unchecked_since, code limit $2`,
    [brandId, mostListed],
  );
  return { stopped: rows, unchecked };
}
