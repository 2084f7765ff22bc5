import type { Schedule } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { columnsOf, timestamptzText } from '../../database/index.ts';
import type { Phase } from '../documents/active-store.ts';
import { isUnbegun } from '../runs/store.ts';
import type { DueStart, StartState } from './plan.ts';

export interface StoredSchedule {
  campaign_id: number;
  brand_id: number;
  schedule: Schedule;
  /** Starts have been created for all times up to this one. */
  planned_until: Micros;
  phase: Phase;
}

/** The schedule starts runs from now on. If the schedule is unchanged, none of its times is lost. */
export async function setSchedule(tx: ClientBase, campaignId: number, schedule: Schedule, at: Micros): Promise<void> {
  await tx.query(
    `insert into campaign_schedule as s (campaign_id, schedule, planned_until) values ($1, $2, $3)
     on conflict (campaign_id) do update
       set schedule = excluded.schedule,
           planned_until = case when s.schedule = excluded.schedule then s.planned_until else excluded.planned_until end`,
    [campaignId, JSON.stringify(schedule), timestamptzText(at)],
  );
}

/** The schedule starts no more runs, and running starts end. */
export async function endSchedule(tx: ClientBase, campaignId: number, at: Micros): Promise<void> {
  await tx.query('delete from campaign_schedule where campaign_id = $1', [campaignId]);
  await tx.query(
    `update campaign_start set state = 'stopped', reason = 'stopped', finished_at = $2 where campaign_id = $1 and state = 'running'`,
    [campaignId, timestamptzText(at)],
  );
}

/**
 * Schedules that were last checked in an earlier minute. This is enough, because scheduled times are on whole minutes.
 */
export async function listSchedules(pool: Pool, at: Micros): Promise<number[]> {
  const { rows } = await pool.query<{ campaign_id: number }>(
    `select campaign_id from campaign_schedule where planned_until < date_trunc('minute', $1::timestamptz) order by campaign_id`,
    [timestamptzText(at)],
  );
  return rows.map(({ campaign_id }) => campaign_id);
}

/** @returns undefined if it ended, or another process is planning it */
export async function lockSchedule(tx: ClientBase, campaignId: number): Promise<StoredSchedule | undefined> {
  const { rows } = await tx.query<StoredSchedule>(
    `select s.campaign_id, a.brand_id, s.schedule, s.planned_until, a.phase
       from campaign_schedule s join campaign_active a using (campaign_id)
      where s.campaign_id = $1 for update of s skip locked`,
    [campaignId],
  );
  return rows[0];
}

/** Deletes starts of a campaign that were due before the given time and are not running. Their runs still store the cause. */
export async function forgetStarts(tx: ClientBase, campaignId: number, before: Micros): Promise<void> {
  await tx.query(`delete from campaign_start where campaign_id = $1 and due_at < $2 and state <> 'running'`, [
    campaignId,
    timestamptzText(before),
  ]);
}

export async function setPlanned(tx: ClientBase, campaignId: number, at: Micros): Promise<void> {
  await tx.query('update campaign_schedule set planned_until = $2 where campaign_id = $1', [
    campaignId,
    timestamptzText(at),
  ]);
}

export interface NewStart extends DueStart {
  campaign_id: number;
  brand_id: number;
  state: StartState;
  reason: string | null;
}

const newColumns = columnsOf<NewStart>({
  campaign_id: 'int',
  brand_id: 'int',
  local: 'text',
  due_at: 'timestamptz',
  state: 'text',
  reason: 'text',
});

export async function insertStarts(tx: ClientBase, starts: readonly NewStart[]): Promise<void> {
  if (starts.length === 0) return;
  await tx.query(
    `insert into campaign_start (${newColumns.names}) select ${newColumns.stored('s')} from ${newColumns.given('s')} on conflict do nothing`,
    newColumns.values(starts),
  );
}

export interface StartName {
  campaign_id: number;
  local: string;
  due_at: Micros;
}

export interface StoredStart extends StartName {
  brand_id: number;
  state: StartState;
  /** Why it ended early, or what it waits for. */
  reason: string | null;
  after_id: number;
  total: number | null;
  looked: number;
  entered: number;
  started_at: Micros | null;
  finished_at: Micros | null;
}

const columns =
  'campaign_id, brand_id, local, due_at, state, reason, after_id, total, looked, entered, started_at, finished_at';

/** Running starts, earliest first. */
export async function listRunning(pool: Pool): Promise<StartName[]> {
  const { rows } = await pool.query<StartName>(
    `select campaign_id, local, due_at from campaign_start where state = 'running' order by due_at, campaign_id, local`,
  );
  return rows;
}

/** Class of the advisory locks of campaigns. A campaign is locked while one of its starts is processed. */
const portions = 0x73_74_61;

/**
 * Also locks the other starts of the campaign: the rule of re-entry reads the player's earlier runs, and two starts at the
 * same time would not see each other's.
 *
 * @returns undefined if it has ended, or another process is working on a start of this campaign
 */
export async function lockStart(
  tx: ClientBase,
  { campaign_id, local, due_at }: StartName,
): Promise<StoredStart | undefined> {
  // A separate statement, so that the following ones see the runs that the previous holder of the lock started.
  const { rows: locked } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1, $2) as locked', [
    portions,
    campaign_id,
  ]);
  if (locked[0]?.locked !== true) return undefined;
  const { rows } = await tx.query<StoredStart>(
    `select ${columns} from campaign_start
      where campaign_id = $1 and local = $2 and due_at = $3 and state = 'running' for update skip locked`,
    [campaign_id, local, timestamptzText(due_at)],
  );
  return rows[0];
}

export async function saveStart(tx: ClientBase | Pool, start: StoredStart): Promise<void> {
  const { campaign_id, local, due_at, state, reason, after_id, total, looked, entered, started_at, finished_at } =
    start;
  const moment = (at: Micros | null) => (at === null ? null : timestamptzText(at));
  await tx.query(
    `update campaign_start set state = $4, reason = $5, after_id = $6, total = $7, looked = $8, entered = $9, started_at = $10, finished_at = $11
      where campaign_id = $1 and local = $2 and due_at = $3`,
    [
      campaign_id,
      local,
      timestamptzText(due_at),
      state,
      reason,
      after_id,
      total,
      looked,
      entered,
      moment(started_at),
      moment(finished_at),
    ],
  );
}

/** Starts of a campaign, latest first. */
export async function listStarts(
  pool: Pool,
  campaignId: number,
  { before, limit }: { before?: { due_at: Micros; local: string } | undefined; limit: number },
): Promise<StoredStart[]> {
  const { rows } = await pool.query<StoredStart>(
    `select ${columns} from campaign_start
      where campaign_id = $1 and ($2::timestamptz is null or (due_at, local) < ($2, $3))
      order by due_at desc, local desc limit $4`,
    [campaignId, before === undefined ? null : timestamptzText(before.due_at), before?.local ?? null, limit],
  );
  return rows;
}

/** Players of a brand in the order of player_id. */
export async function listCandidates(
  tx: ClientBase,
  { brand_id, after, limit }: { brand_id: number; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await tx.query<{ player_id: number }>(
    'select player_id from player where brand_id = $1 and player_id > $2 and erased_at is null order by player_id limit $3',
    [brand_id, after, limit],
  );
  return rows.map(({ player_id }) => player_id);
}

export async function countCandidates(tx: Pool | ClientBase, brandId: number): Promise<number> {
  const { rows } = await tx.query<{ players: number }>(
    'select count(*)::int as players from player where brand_id = $1 and erased_at is null',
    [brandId],
  );
  return rows[0]?.players ?? 0;
}

/** Number of a campaign's runs that have not taken their first step, at most `most`. */
export async function countUnbegun(tx: ClientBase, campaignId: number, most: number): Promise<number> {
  const { rows } = await tx.query<{ runs: number }>(
    `select count(*)::int as runs from (select from campaign_run where campaign_id = $1 and ${isUnbegun} limit $2) r`,
    [campaignId, most],
  );
  return rows[0]?.runs ?? 0;
}
