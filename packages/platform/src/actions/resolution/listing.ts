import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { AssignedHow } from './assign.ts';

/** A bonus that an intent is known to have caused. */
export interface GrantOfIntent {
  user_bonus_id: string;
  how: AssignedHow;
  /** When this became known. */
  since: Micros;
}

export async function readGrantsOfIntent(db: Pool | ClientBase, intentId: string): Promise<GrantOfIntent[]> {
  const { rows } = await db.query<GrantOfIntent>(
    'select user_bonus_id, how, since from bonus_intent_grant where intent_id = $1 order by since, user_bonus_id',
    [intentId],
  );
  return rows;
}

/** Requests are counted up to this number. */
const mostRequestsCounted = 10_000;
const mostFailing = 100;

/** Pairs that wait to be assigned again, usually for milliseconds. */
export interface ResolutionBacklog {
  /** Pairs of player and bonus_code among the oldest requests. If it is `mostRequestsCounted`, there may be more. */
  waiting: number;
  oldest_at: Micros | null;
  /** Pairs that failed and will be retried, oldest first; at most 100. */
  failing: { player_id: number; bonus_code: string; tries: number; requested_at: Micros; last_error: string }[];
}

export async function readResolutionBacklog(db: Pool | ClientBase, brandId: number): Promise<ResolutionBacklog> {
  const { rows: failing } = await db.query<ResolutionBacklog['failing'][number]>(
    `select player_id, bonus_code, max(tries) as tries, min(requested_at) as requested_at, max(last_error) as last_error
     from (
       select * from bonus_resolution_request where brand_id = $1 and tries > 0 order by requested_at limit $2
     ) oldest
     group by player_id, bonus_code order by min(requested_at)`,
    [brandId, mostFailing],
  );
  const { rows } = await db.query<Pick<ResolutionBacklog, 'waiting' | 'oldest_at'>>(
    `select count(distinct (player_id, bonus_code))::int as waiting, min(requested_at) as oldest_at
     from (
       select * from bonus_resolution_request where brand_id = $1 order by requested_at limit $2
     ) oldest`,
    [brandId, mostRequestsCounted],
  );
  return { ...(rows[0] ?? { waiting: 0, oldest_at: null }), failing };
}
