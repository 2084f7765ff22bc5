import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { BulkAction, PlayerState } from './action.ts';
import { actionColumns, type Progress, progressColumns } from './store.ts';

export interface ListedAction {
  action: BulkAction;
  progress: Progress;
  counts: readonly { state: PlayerState; reason: string; players: number }[];
}

/** Lists the actions of a brand, the newest first: all of them, only one action, or only the actions on one segment. */
export async function listActions(
  pool: Pool,
  brandId: number,
  of: {
    action_id?: number | undefined;
    segment?: string | undefined;
    /** The caller's own key of the order. */
    request_key?: string | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<ListedAction[]> {
  const { action_id = null, segment = null, request_key = null, before = null, limit } = of;
  const { rows } = await pool.query<BulkAction>(
    `select ${actionColumns} from bulk_action
      where brand_id = $1 and ($2::int is null or action_id = $2) and ($3::text is null or segment_code = $3)
        and ($4::int is null or action_id < $4) and ($6::text is null or request_key = $6)
      order by action_id desc limit $5`,
    [brandId, action_id, segment, before, limit, request_key],
  );
  const ids = rows.map((row) => row.action_id);
  const { rows: progresses } = await pool.query<Progress>(
    `select ${progressColumns} from bulk_progress where action_id = any($1::int[])`,
    [ids],
  );
  const { rows: counts } = await pool.query<{
    action_id: number;
    state: PlayerState;
    reason: string;
    players: number;
  }>(
    `select action_id, state, reason, players from bulk_count where action_id = any($1::int[]) and players > 0
      order by state, players desc, reason`,
    [ids],
  );
  return rows.map((action) => {
    const progress = progresses.find((one) => one.action_id === action.action_id);
    if (progress === undefined) throw new Error(`bulk action ${action.action_id} has no progress`);
    return { action, progress, counts: counts.filter((one) => one.action_id === action.action_id) };
  });
}

export interface ReachedPlayer {
  player_id: number;
  user_id: string;
  state: PlayerState;
  reason: string;
  message_id: number | null;
  intent_id: string | null;
  decision_id: number | null;
  at: Micros;
}

/** The players of an action, ordered by player_id. With them, staff can list the players behind every count. */
export async function listReached(
  pool: Pool,
  actionId: number,
  of: {
    state?: PlayerState | undefined;
    reason?: string | undefined;
    after?: number | undefined;
    limit: number;
  },
): Promise<ReachedPlayer[]> {
  const { state = null, reason = null, after = 0, limit } = of;
  const { rows } = await pool.query<ReachedPlayer>(
    `select b.player_id, p.user_id, b.state, b.reason, b.message_id, b.intent_id, b.decision_id, b.at
       from bulk_player b join player p on p.player_id = b.player_id
      where b.action_id = $1 and ($2::text is null or b.state = $2) and ($3::text is null or b.reason = $3) and b.player_id > $4
        and p.erased_at is null
      order by b.player_id limit $5`,
    [actionId, state, reason, after, limit],
  );
  return rows;
}

/** The running bulk actions on a segment. */
export async function actionsUnderWay(
  tx: Pick<Pool, 'query'>,
  { segment_id }: { segment_id: number },
): Promise<number[]> {
  const { rows } = await tx.query<{ action_id: number }>(
    `select action_id from bulk_progress where segment_id = $1 and state in ('gathering', 'running') order by action_id`,
    [segment_id],
  );
  return rows.map(({ action_id }) => action_id);
}
