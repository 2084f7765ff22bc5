import { type Campaign, reachesGoal } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { ActiveRow } from '../documents/active-store.ts';
import type { CampaignNews } from '../news/news.ts';
import type { PlayerNews } from '../news/store.ts';
import { causedAt } from './context.ts';
import type { Reading } from './reading.ts';

/*
 * Runs that are done and watch for their goal. They are not open. They are read only if news can move them: an event that can be a
 * goal, or the protection of the player. Of these, only the runs that the news moves are locked. They are then moved together with the
 * open runs.
 */

export interface GoalWatch {
  run_id: number;
  player_id: number;
  brand_id: number;
  campaign_id: number;
  version_id: number;
  entered_at: Micros;
  cause: { at: Micros };
  goal_until: Micros;
}

/** The players whose news can move a run that watches for its goal. Pure. */
export function playersToWatch(news: readonly PlayerNews[], active: readonly ActiveRow[]): number[] {
  const goals = new Set(active.flatMap(({ brand_id, goal_kinds }) => goal_kinds.map((kind) => `${brand_id} ${kind}`)));
  if (goals.size === 0) return [];
  const concerned = news.filter(
    ({ brand_id, news: one }) =>
      one.type === 'protected' || (one.type === 'event' && goals.has(`${brand_id} ${one.kind}`)),
  );
  return [...new Set(concerned.map(({ player_id }) => player_id))];
}

/** The watches of players; not locked, because most of them stay as they are. */
export async function readWatches(tx: ClientBase, players: readonly number[]): Promise<GoalWatch[]> {
  if (players.length === 0) return [];
  const { rows } = await tx.query<GoalWatch>({
    name: 'read_goal_watches',
    // If it was ordered by run_id alone, a plan made while the table was empty would read all runs in the order of the primary key.
    text: `select run_id, player_id, brand_id, campaign_id, version_id, entered_at,
                  jsonb_build_object('at', cause -> 'at') as cause, goal_until
             from campaign_run where player_id = any($1::bigint[]) and goal_until is not null order by player_id, run_id`,
    values: [players],
  });
  return rows;
}

/** Whether news of the player reaches the goal of a run, or ends its watch. Pure. */
export function isMoved(
  watch: GoalWatch,
  campaign: Campaign,
  news: readonly CampaignNews[],
  active: Pick<ActiveRow, 'phase' | 'stopped_at'> | undefined,
  reading: Reading,
): boolean {
  if (active === undefined || active.phase === 'stopped') return false;
  if (active.stopped_at !== null && watch.entered_at <= active.stopped_at) return false;
  const window = { causedAt: causedAt(watch), until: watch.goal_until };
  return news.some(
    (one) => one.type === 'protected' || (one.type === 'event' && reachesGoal(campaign, one, window, reading)),
  );
}

/**
 * Removes watches that can no longer count: their window ended before `endedBefore`, or their campaign was stopped. Reads a portion of
 * all watches, by player.
 *
 * @returns the last player of the portion, after whom the next one begins; null after the last portion
 */
export async function forgetWatches(
  pool: Pool,
  { after, limit, endedBefore }: { after: number; limit: number; endedBefore: Micros },
): Promise<{ forgotten: number; last: number | null }> {
  const { rows } = await pool.query<{ forgotten: number; seen: number; last: number | null }>({
    name: 'forget_goal_watches',
    text: `with portion as (
             select run_id, player_id, campaign_id, entered_at, goal_until
               from campaign_run where player_id > $1 and goal_until is not null order by player_id
              fetch first ($2) rows with ties
           ), ended as (
             select run_id from portion p left join campaign_active a using (campaign_id)
              where p.goal_until < $3 or a.campaign_id is null or a.phase = 'stopped' or p.entered_at <= a.stopped_at
           ), locked as (
             select run_id from campaign_run where run_id in (select run_id from ended) for update skip locked
           ), forgotten as (
             update campaign_run set goal_until = null where run_id in (select run_id from locked) returning 1
           )
           select (select count(*)::int from forgotten) as forgotten, (select count(*)::int from portion) as seen,
                  (select max(player_id) from portion) as last`,
    values: [after, limit, timestamptzText(endedBefore)],
  });
  const { forgotten = 0, seen = 0, last = null } = rows[0] ?? {};
  return { forgotten, last: seen < limit ? null : last };
}
