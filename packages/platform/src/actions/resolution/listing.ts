import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { AssignedHow } from './assign.ts';

/** A bonus that an intent caused, as far as that is known. */
export interface GrantOfIntent {
  user_bonus_id: string;
  how: AssignedHow;
  /** When it was found out. */
  since: Micros;
}

export async function readGrantsOfIntent(db: Pool | ClientBase, intentId: string): Promise<GrantOfIntent[]> {
  const { rows } = await db.query<GrantOfIntent>(
    'select user_bonus_id, how, since from bonus_intent_grant where intent_id = $1 order by since, user_bonus_id',
    [intentId],
  );
  return rows;
}

/** Looks that wait: usually for milliseconds. */
export interface ResolutionBacklog {
  waiting: number;
  oldest_at: Micros | null;
  /** Those that failed and are tried again, the longest waiting first; at most 100. */
  failing: { player_id: number; bonus_code: string; tries: number; requested_at: Micros; last_error: string }[];
}

export async function readResolutionBacklog(db: Pool | ClientBase, brandId: number): Promise<ResolutionBacklog> {
  const { rows } = await db.query<ResolutionBacklog['failing'][number] & { last_error: string | null }>(
    `select player_id, bonus_code, max(tries) as tries, min(requested_at) as requested_at, max(last_error) as last_error
     from bonus_resolution_request where brand_id = $1 group by player_id, bonus_code order by min(requested_at)`,
    [brandId],
  );
  return {
    waiting: rows.length,
    oldest_at: rows[0]?.requested_at ?? null,
    failing: rows.filter(({ tries }) => tries > 0).slice(0, 100),
  };
}
