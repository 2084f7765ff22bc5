import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { LookUp } from '../judging/index.ts';
import type { ResyncFilter } from './filter.ts';
import type { ResyncRun, ResyncState } from './run.ts';

const columns = `resync_id, brand_id, state, filter, cardinality(player_ids) as named, look_ups, per_second, requested_by,
  requested_at, started_at, asked_all_at, finished_at, position, last_player_id, paced_to, total, asked, answered, failed`;

export interface NewResync {
  brand_id: number;
  filter: ResyncFilter;
  /** The players of the run; null if a filter selects them. */
  player_ids: readonly number[] | null;
  look_ups: readonly LookUp[];
  per_second: number | null;
  requested_by: string;
  now: Micros;
}

/** @returns the new run; undefined if another run of the brand is active */
export async function insertRun(db: Pool | ClientBase, run: NewResync): Promise<ResyncRun | undefined> {
  const { rows } = await db.query<ResyncRun>(
    `insert into resync (brand_id, state, filter, player_ids, look_ups, per_second, requested_by, requested_at)
     values ($1, 'asking', $2, $3, $4, $5, $6, $7)
     on conflict (brand_id) where state in ('asking', 'answering', 'paused') do nothing
     returning ${columns}`,
    [
      run.brand_id,
      JSON.stringify(run.filter),
      run.player_ids?.toSorted((a, b) => a - b) ?? null,
      run.look_ups,
      run.per_second,
      run.requested_by,
      timestamptzText(run.now),
    ],
  );
  return rows[0];
}

/** Runs that a worker has to advance. */
export async function readMoving(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ resync_id: number }>({
    name: 'moving_resyncs',
    text: `select resync_id from resync where state in ('asking', 'answering') order by resync_id`,
  });
  return rows.map(({ resync_id }) => resync_id);
}

/** Locks a run to advance it. Undefined if another worker is advancing it, or a person has ended or paused it. */
export async function lockMoving(tx: ClientBase, resyncId: number): Promise<ResyncRun | undefined> {
  const { rows } = await tx.query<ResyncRun>(
    `select ${columns} from resync where resync_id = $1 and state in ('asking', 'answering') for update skip locked`,
    [resyncId],
  );
  return rows[0];
}

/** Writes the changes that a step made to a locked run. */
export async function saveStep(tx: ClientBase, run: ResyncRun): Promise<void> {
  const text = (at: Micros | null) => (at === null ? null : timestamptzText(at));
  await tx.query(
    `update resync set state = $2, started_at = $3, asked_all_at = $4, finished_at = $5, position = $6, last_player_id = $7,
            paced_to = $8, total = $9, asked = $10, answered = $11, failed = $12
      where resync_id = $1`,
    [
      run.resync_id,
      run.state,
      text(run.started_at),
      text(run.asked_all_at),
      text(run.finished_at),
      run.position,
      run.last_player_id,
      text(run.paced_to),
      run.total,
      run.asked,
      run.answered,
      run.failed,
    ],
  );
}

/** Applies a person's action to a run. @returns the run afterwards; undefined if its state does not allow the action */
export async function changeRun(
  tx: ClientBase,
  of: { brand_id: number; resync_id: number },
  change: 'pause' | 'continue' | 'cancel',
  now: Micros,
): Promise<ResyncRun | undefined> {
  const from: Record<typeof change, ResyncState[]> = {
    pause: ['asking', 'answering'],
    continue: ['paused'],
    cancel: ['asking', 'answering', 'paused'],
  };
  const { rows } = await tx.query<ResyncRun>(
    `update resync
        set state = case $3 when 'pause' then 'paused'
                            when 'cancel' then 'cancelled'
                            else case when asked_all_at is null then 'asking' else 'answering' end end,
            finished_at = case $3 when 'cancel' then $5::timestamptz end
      where brand_id = $1 and resync_id = $2 and state = any($4::text[])
     returning ${columns}`,
    [of.brand_id, of.resync_id, change, from[change], timestamptzText(now)],
  );
  if (change === 'cancel' && rows.length > 0)
    await tx.query('delete from resync_open where resync_id = $1', [of.resync_id]);
  return rows[0];
}

export interface ResyncList {
  brand_id: number;
  state?: ResyncState | undefined;
  /** Only runs older than this one. */
  before?: number | undefined;
  limit: number;
}

/** Newest first. */
export async function readRuns(pool: Pool, { brand_id, state, before, limit }: ResyncList): Promise<ResyncRun[]> {
  const { rows } = await pool.query<ResyncRun>(
    `select ${columns} from resync
      where brand_id = $1 and ($2::text is null or state = $2) and ($3::bigint is null or resync_id < $3)
      order by resync_id desc limit $4`,
    [brand_id, state ?? null, before ?? null, limit],
  );
  return rows;
}

export async function readRun(pool: Pool, brandId: number, resyncId: number): Promise<ResyncRun | undefined> {
  const { rows } = await pool.query<ResyncRun>(`select ${columns} from resync where brand_id = $1 and resync_id = $2`, [
    brandId,
    resyncId,
  ]);
  return rows[0];
}

/**
 * @returns the players with these user_ids, and the user_ids that the brand does not have; those of erased players count as
 * unknown
 */
export async function playersNamed(
  db: Pool | ClientBase,
  brandId: number,
  userIds: readonly string[],
): Promise<{ player_ids: number[]; unknown: string[] }> {
  const { rows } = await db.query<{ user_id: string; player_id: number | null }>(
    `select u.user_id, p.player_id from unnest($2::text[]) as u (user_id)
       left join player p on p.brand_id = $1 and p.user_id = u.user_id and p.erased_at is null`,
    [brandId, [...new Set(userIds)]],
  );
  return {
    player_ids: rows.flatMap(({ player_id }) => (player_id === null ? [] : [player_id])),
    unknown: rows.flatMap(({ player_id, user_id }) => (player_id === null ? [user_id] : [])),
  };
}
