import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { LookUp } from '../../judging/index.ts';

/**
 * Everything about a brand's players that could not be synchronized: look-ups that fail, players whom the operator does not
 * know, and parts of answers that were unusable. Oldest first, because old problems were probably overlooked.
 */
export interface SyncProblem {
  player_id: number;
  user_id: string;
  look_up: LookUp;
  /** Empty for the look-up as a whole. */
  path: string;
  reason: string;
  message: string;
  since: Micros;
  parked: boolean;
}

/** The last row of a page. */
export type ProblemCursor = Pick<SyncProblem, 'since' | 'player_id' | 'look_up' | 'path'>;

export async function listSyncProblems(
  pool: Pool,
  brandId: number,
  options: { limit: number; after?: ProblemCursor | undefined; reason?: string | undefined },
): Promise<{ items: SyncProblem[]; next: ProblemCursor | null }> {
  const { limit, after, reason } = options;
  const { rows } = await pool.query<SyncProblem>(
    `select problem.*, player.user_id
       from (
         (select player_id, look_up, path, reason, message, since, false as parked
            from sync_problem
           where brand_id = $1 and ($2::text is null or reason = $2)
             and ($3::timestamptz is null or (since, player_id, look_up, path) > ($3, $4::bigint, $5::text, $6::text))
           order by since, player_id, look_up, path limit $7)
         union all
         (select player_id, look_up, '' as path, failure as reason, coalesce(failure_detail, '') as message,
                 failing_since as since, parked
            from player_sync
           where brand_id = $1 and failing_since is not null and ($2::text is null or failure = $2)
             and ($3::timestamptz is null or (failing_since, player_id, look_up, '') > ($3, $4::bigint, $5::text, $6::text))
           order by failing_since, player_id, look_up limit $7)
       ) problem
       join player on player.player_id = problem.player_id
      order by since, player_id, look_up, path
      limit $7`,
    [
      brandId,
      reason ?? null,
      after ? timestamptzText(after.since) : null,
      after?.player_id ?? null,
      after?.look_up ?? null,
      after?.path ?? null,
      limit,
    ],
  );
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    items: rows,
    next: last ? { since: last.since, player_id: last.player_id, look_up: last.look_up, path: last.path } : null,
  };
}
