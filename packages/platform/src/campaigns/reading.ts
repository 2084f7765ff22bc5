import type { Run } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type TimePage, timePageSql, timePageValues, timestamptzText } from '../database/index.ts';
import type { RunCause } from './news/news.ts';
import { withheldLater, withheldLaterOf } from './results/withheld.ts';
import type { StoredEffect } from './runs/store.ts';

/** A run as shown to people. */
export interface ListedRun {
  run_id: number;
  player_id: number;
  /** Null if the player was erased. */
  user_id: string | null;
  campaign_id: number;
  version_id: number;
  state: Run['state'];
  reason: string | null;
  position: Omit<Run, 'state' | 'reason'>;
  cause: RunCause;
  due_at: Micros | null;
  /** For a run that is done: the end of the time in which its goal counts. Null if the run does not watch for a goal. */
  goal_until: Micros | null;
  entered_at: Micros;
  moved_at: Micros;
}

const columns = `r.run_id, r.player_id, case when p.erased_at is null then p.user_id end as user_id, r.campaign_id, r.version_id, r.state, r.reason,
  r.position, r.cause, r.due_at, r.goal_until, r.entered_at, r.moved_at`;

/** Runs of a campaign or of a player, newest first; or one run. */
export async function listRuns(
  pool: Pool,
  of: { campaign_id: number } | { player_id: number } | { run_id: number },
  { before, states, limit }: { before?: number | undefined; states?: readonly string[] | undefined; limit: number },
): Promise<ListedRun[]> {
  const [[column, id] = ['run_id', 0]] = Object.entries(of);
  const { rows } = await pool.query<ListedRun>(
    `select ${columns} from campaign_run r join player p on p.player_id = r.player_id
      where r.${column} = $1 and ($2::bigint is null or r.run_id < $2) and ($3::text[] is null or r.state = any($3))
      order by r.run_id desc limit $4`,
    [id, before ?? null, states ?? null, limit],
  );
  return rows;
}

/** Runs of a player by the time at which the player entered, newest first. */
export const playerEntries = (pool: Pool, playerId: number, page: TimePage) =>
  playerRuns(pool, playerId, 'r.entered_at', 'true', page);

/** Runs of a player that ended, by the time at which they ended, newest first. */
export const playerEnds = (pool: Pool, playerId: number, page: TimePage) =>
  playerRuns(pool, playerId, 'r.moved_at', "r.state not in ('active', 'waiting', 'held')", page);

/**
 * Runs of a player that have one of these causes, the oldest first.
 * @param since no cause is earlier. The search starts here
 */
export async function runsCausedBy(
  pool: Pool,
  playerId: number,
  causes: readonly Readonly<Record<string, unknown>>[],
  { since, limit }: { since: Micros; limit: number },
): Promise<ListedRun[]> {
  const { rows } = await pool.query<ListedRun>(
    `select ${columns} from campaign_run r join player p on p.player_id = r.player_id
      where r.player_id = $1 and r.entered_at >= $2::timestamptz
        and exists (select from jsonb_array_elements($3::jsonb) c where r.cause @> c)
      order by r.entered_at, r.run_id limit $4`,
    [playerId, timestamptzText(since), JSON.stringify(causes), limit],
  );
  return rows;
}

async function playerRuns(
  pool: Pool,
  playerId: number,
  at: string,
  condition: string,
  page: TimePage,
): Promise<ListedRun[]> {
  const { rows } = await pool.query<ListedRun>(
    `select ${columns} from campaign_run r join player p on p.player_id = r.player_id
      where r.player_id = $1 and ${condition} ${timePageSql({ at, key: 'r.run_id', type: 'bigint' }, 2)}`,
    [playerId, ...timePageValues(page)],
  );
  return rows;
}

/** Codes of the campaigns of these runs, by run. Runs that were erased or cleaned up are missing. */
export async function readCampaignsOfRuns(pool: Pool, runIds: readonly number[]): Promise<Map<number, string>> {
  if (runIds.length === 0) return new Map();
  // Runs and campaigns may be stored in different databases.
  const { rows: runs } = await pool.query<{ run_id: number; campaign_id: number }>(
    'select run_id, campaign_id from campaign_run where run_id = any($1::bigint[])',
    [runIds],
  );
  const { rows: campaigns } = await pool.query<{ campaign_id: number; code: string }>(
    'select campaign_id, code from campaign where campaign_id = any($1::int[])',
    [runs.map(({ campaign_id }) => campaign_id)],
  );
  const codes = new Map(campaigns.map(({ campaign_id, code }) => [campaign_id, code]));
  return new Map(runs.map(({ run_id, campaign_id }) => [run_id, codes.get(campaign_id) ?? '']));
}

export interface StoredStepRecord {
  story_id: number;
  run_id: number;
  step: string;
  state: string;
  at: Micros;
  reason: string | null;
  variant: string | null;
  effect: StoredEffect | null;
}

/**
 * How many steps of runs are read together. A campaign has at most 100 steps, so only a long page of long runs has more.
 */
export const mostStepRecords = 10_000;

/**
 * The steps that these runs reached, the oldest first. If the message or credit of a step was ordered and then withheld (by a budget,
 * the gate, or the stop of the campaign), the step is shown as withheld, with this reason.
 * @param limit maximum number of steps of all runs together. Later steps are left out
 */
export async function readStepRecords(
  pool: Pool,
  runIds: readonly number[],
  limit: number,
): Promise<StoredStepRecord[]> {
  const { rows } = await pool.query<StoredStepRecord>(
    `select s.story_id, s.run_id, s.step, case when w.at is null then s.state else 'withheld' end as state, s.at,
            case when w.at is null then s.reason else w.reason end as reason, s.variant, s.effect
       from campaign_run_step s left join lateral (select * from ${withheldLaterOf('s')} w offset 0) w on true
      where s.run_id = any($1::bigint[]) order by s.story_id limit $2`,
    [runIds, limit],
  );
  return rows;
}

export interface CampaignCounts {
  version_id: number;
  entered: number;
  waiting: number;
  held: number;
  done: number;
  goal_reached: number;
  exited: number;
  failed: number;
}

/** Runs of a campaign by version, counted from the rows. */
export async function countRuns(
  pool: Pool,
  campaignIds: readonly number[],
): Promise<(CampaignCounts & { campaign_id: number })[]> {
  const by = (state: string) => `(count(*) filter (where state = '${state}'))::int as ${state}`;
  const { rows } = await pool.query<CampaignCounts & { campaign_id: number }>(
    `select campaign_id, version_id, count(*)::int as entered,
            ${['waiting', 'held', 'done', 'goal_reached', 'exited', 'failed'].map(by).join(', ')}
       from campaign_run where campaign_id = any($1::int[]) group by campaign_id, version_id`,
    [campaignIds],
  );
  return rows;
}

export interface StepCounts {
  version_id: number;
  step: string;
  state: string;
  kind: string | null;
  reason: string | null;
  variant: string | null;
  count: number;
}

/** The outcomes of each step, by version, reason and variant. An effect that was withheld after it was ordered is withheld, not done. */
export async function countSteps(pool: Pool, campaignId: number): Promise<StepCounts[]> {
  const { rows } = await pool.query<StepCounts>(
    `select version_id, step, state, kind, reason, variant, sum(count)::int as count from (
       select version_id, step, state, effect ->> 'kind' as kind, reason, variant, count(*)
         from campaign_run_step where campaign_id = $1 group by 1, 2, 3, 4, 5, 6
       union all
       select w.version_id, w.step, m.state, w.kind, m.reason, w.variant, m.count
         from (select version_id, step, kind, ordered_reason, variant, reason, count(*)
                 from ${withheldLater('s.campaign_id = $1')} w group by 1, 2, 3, 4, 5, 6) w
        cross join lateral (values ('withheld', w.reason, w.count), ('done', w.ordered_reason, -w.count)) m (state, reason, count)
     ) s group by 1, 2, 3, 4, 5, 6 having sum(count) > 0 order by 1, 2, 3, 4, 5, 6`,
    [campaignId],
  );
  return rows;
}
