import type { EarlierRuns, Run } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { columnsOf, type Scope, scoped, timestamptzText } from '../../database/index.ts';
import type { RunCause } from '../news/news.ts';
import { shareOut, sharesOf } from './shares.ts';

/** The part of a run that only packages/campaigns reads. */
export type Position = Omit<Run, 'state' | 'reason' | 'goalUntil'>;

export interface RunRow {
  run_id: number;
  player_id: number;
  brand_id: number;
  campaign_id: number;
  version_id: number;
  cause_key: string;
  cause: RunCause;
  state: Run['state'];
  reason: string | null;
  position: Position;
  due_at: Micros | null;
  /** Set if it is done and watches for its goal. */
  goal_until: Micros | null;
  entered_at: Micros;
}

const columns =
  'run_id, player_id, brand_id, campaign_id, version_id, cause_key, cause, state, reason, position, due_at, goal_until, entered_at';
const isOpen = `state in ('active', 'waiting', 'held')`;
const isPaused = `state = 'held' and reason = 'paused'`;
/**
 * The condition of the index campaign_run_unbegun. With `state = 'active'`, PostgreSQL would also consider the indexes of all open runs. If it
 * planned while no run was open, it would read one of them completely, for each campaign.
 */
export const isUnbegun = `(state = 'active') is not false`;

export type NewRun = Omit<RunRow, 'run_id' | 'reason' | 'due_at' | 'goal_until'> & { moved_at: Micros };

const newColumns = columnsOf<NewRun>({
  player_id: 'bigint',
  brand_id: 'int',
  campaign_id: 'int',
  version_id: 'int',
  cause_key: 'text',
  cause: 'jsonb',
  state: 'text',
  position: 'jsonb',
  entered_at: 'timestamptz',
  moved_at: 'timestamptz',
});

/** @returns the new runs: a cause starts one run of a campaign, even if it is repeated */
export async function insertRuns(tx: ClientBase, runs: readonly NewRun[]): Promise<RunRow[]> {
  if (runs.length === 0) return [];
  const { rows } = await tx.query<RunRow>({
    name: 'insert_campaign_runs',
    text: `insert into campaign_run (${newColumns.names}) select ${newColumns.stored('r')} from ${newColumns.given('r')}
           on conflict do nothing returning ${columns}`,
    values: newColumns.values(runs),
  });
  return rows;
}

/** The active runs of players, locked. */
export async function lockOpenRuns(tx: ClientBase, players: readonly number[]): Promise<RunRow[]> {
  if (players.length === 0) return [];
  const { rows } = await tx.query<RunRow>({
    name: 'lock_open_campaign_runs',
    // If it was ordered by run_id alone, a plan made while the table was empty would read all runs in the order of the primary key.
    text: `select ${columns} from campaign_run where player_id = any($1::bigint[]) and ${isOpen} order by player_id, run_id for update`,
    values: [players],
  });
  return rows;
}

/** Runs that watch for their goal, locked. */
export async function lockWatchingRuns(tx: ClientBase, runIds: readonly number[]): Promise<RunRow[]> {
  if (runIds.length === 0) return [];
  const { rows } = await tx.query<RunRow>({
    name: 'lock_watching_campaign_runs',
    text: `select ${columns} from campaign_run where run_id = any($1::bigint[]) and goal_until is not null order by run_id for update`,
    values: [runIds],
  });
  return rows;
}

/**
 * Runs of players of some buckets that are due now, locked. If there are more than the limit, each version of a campaign that has some gets
 * an equal share of it, so that a million due runs of one campaign do not delay those of others.
 */
export async function lockDueRuns(tx: ClientBase, scope: Scope, at: Micros, limit: number): Promise<RunRow[]> {
  const of = scoped(scope);
  const { rows } = await tx.query<RunRow>({
    name: of.named('lock_due_campaign_runs'),
    text: `select ${columns} from campaign_run where due_at <= $2 and ${of.has('player_id', 1)} order by due_at limit $3 for update`,
    values: [of.ids, timestamptzText(at), limit],
  });
  return shareOut(
    tx,
    rows,
    { scope, limit },
    { name: 'lock_shares_of_due_campaign_runs', text: sharesOfDue, values: [timestamptzText(at)] },
  );
}

/** Active runs on versions that all runs leave (`moves_from`), locked. Each of these versions gets a share of the limit. */
export async function lockMovingRuns(
  tx: ClientBase,
  moves: readonly { campaign_id: number; moves_from: readonly number[] }[],
  scope: Scope,
  limit: number,
): Promise<RunRow[]> {
  const pairs = moves.flatMap(({ campaign_id, moves_from }) => moves_from.map((from) => ({ campaign_id, from })));
  if (pairs.length === 0) return [];
  const of = scoped(scope);
  const versions = [pairs.map(({ campaign_id }) => campaign_id), pairs.map(({ from }) => from)];
  const { rows } = await tx.query<RunRow>({
    name: of.named('lock_moving_campaign_runs'),
    // Joined with the table itself, a plan made while the table was empty would read all open runs.
    text: `select r.* from unnest($1::int[], $2::int[]) as p (campaign_id, version_id) cross join lateral (
             select ${columns} from campaign_run
              where (campaign_id, version_id) = (p.campaign_id, p.version_id) and ${isOpen} and ${of.has('player_id', 3)}
              limit $4 for update) r limit $4`,
    values: [...versions, of.ids, limit],
  });
  return shareOut(
    tx,
    rows,
    { scope, limit },
    { name: 'lock_shares_of_moving_campaign_runs', text: sharesOfMoving, values: [...versions] },
  );
}

/** Runs of some campaigns that a pause holds, locked. Each of these campaigns gets a share of the limit. */
export async function lockPausedRuns(
  tx: ClientBase,
  campaigns: readonly number[],
  scope: Scope,
  limit: number,
): Promise<RunRow[]> {
  if (campaigns.length === 0 || limit === 0) return [];
  const of = scoped(scope);
  const { rows } = await tx.query<RunRow>({
    name: of.named('lock_paused_campaign_runs'),
    text: `select ${columns} from campaign_run
            where campaign_id = any($1::int[]) and ${isPaused} and ${of.has('player_id', 2)}
            limit $3 for update`,
    values: [campaigns, of.ids, limit],
  });
  return shareOut(
    tx,
    rows,
    { scope, limit },
    { name: 'lock_shares_of_paused_campaign_runs', text: sharesOfPaused, values: [campaigns] },
  );
}

/**
 * Runs that a schedule created and that have not taken their first step, locked. Each campaign that has some gets an equal share of the limit, so
 * that none waits until a start of another campaign is complete. The rest of the limit is filled in the order of the index.
 *
 * The campaigns are found with one look-up each in the index, so a round without such runs makes one look-up (0.15 ms; without shares, it took
 * 0.1 ms). Beside 200,000 runs of one campaign and 100 runs of 20 others, 500 runs take 4.4 ms; without shares, they took 3.5 ms.
 */
export async function lockUnbegunRuns(tx: ClientBase, scope: Scope, limit: number): Promise<RunRow[]> {
  if (limit === 0) return [];
  const of = scoped(scope);
  const { rows } = await tx.query<RunRow>({
    name: of.named('lock_unbegun_campaign_runs'),
    text: 'players' in scope ? unbegunOfPlayers : unbegunOfBuckets,
    values: [of.ids, limit],
  });
  return rows;
}

// A round over single players repeats a part of a round that failed, so it needs no shares. It finds the runs by their players.
const unbegunOfPlayers = `
  select ${columns} from campaign_run
   where state = 'active' and player_id = any($1::bigint[]) order by campaign_id, run_id limit $2 for update`;

// If there are more campaigns than the limit, chance decides, so that each has its turn. `state || ''` keeps PostgreSQL from reading an
// index of open runs instead of the primary key.
const unbegunOfBuckets = `
  with recursive found as (
    (select campaign_id from campaign_run where ${isUnbegun} order by campaign_id, run_id limit 1)
    union all
    select (select campaign_id from campaign_run where ${isUnbegun} and campaign_id > f.campaign_id
             order by campaign_id, run_id limit 1)
      from found f where f.campaign_id is not null
  ), campaigns as materialized (
    select campaign_id from found where campaign_id is not null
  ), shares as materialized (
    select r.run_id from campaigns c cross join lateral (
        select run_id from campaign_run
         where campaign_id = c.campaign_id and ${isUnbegun} and (player_id & 63) = any($1::int[])
         order by run_id limit greatest(1, $2::int / (select count(*) from campaigns))) r
     order by random() limit $2
  ), rest as (
    select run_id from campaign_run
     where ${isUnbegun} and (player_id & 63) = any($1::int[])
       and run_id not in (select run_id from shares) and exists (select from campaigns)
     order by campaign_id, run_id limit $2 - (select count(*) from shares)
  )
  select ${columns} from campaign_run
   where run_id = any(array(select run_id from shares union all select run_id from rest)) and state || '' = 'active'
   order by run_id for update`;

/** Held runs of players, with the step of their version. */
export async function readHeldRuns(tx: ClientBase, players: readonly number[]): Promise<HeldRun[]> {
  const { rows } = await tx.query<HeldRun>({
    name: 'read_held_campaign_runs',
    // Joined directly and not ordered by player, a plan made while the table was empty would read all open runs.
    text: `select r.run_id, r.player_id, r.version_id, r.step
             from (select run_id, player_id, version_id, campaign_id, position ->> 'step' as step from campaign_run
                    where player_id = any($1::bigint[]) and state = 'held' order by player_id offset 0) r
             join campaign_active a using (campaign_id)
            where a.phase = 'live'`,
    values: [players],
  });
  return rows;
}

/** Active runs of some campaigns, for players of some buckets, locked. Each of these campaigns gets a share of the limit. */
export async function lockRunsOf(
  tx: ClientBase,
  campaigns: readonly number[],
  scope: Scope,
  limit: number,
): Promise<RunRow[]> {
  if (campaigns.length === 0) return [];
  const of = scoped(scope);
  const { rows } = await tx.query<RunRow>({
    name: of.named('lock_campaign_runs_of'),
    text: `select ${columns} from campaign_run
            where campaign_id = any($1::int[]) and ${isOpen} and ${of.has('player_id', 2)} limit $3 for update`,
    values: [campaigns, of.ids, limit],
  });
  return shareOut(
    tx,
    rows,
    { scope, limit },
    { name: 'lock_shares_of_campaign_runs_of', text: sharesOfCampaigns, values: [campaigns] },
  );
}

/** The comparison of rows keeps PostgreSQL from reading campaign_run_due, in which the runs of a large campaign come first. */
const isDueOfVersion = `${isOpen} and (r.campaign_id, r.version_id) = (c.campaign_id, c.version_id)
  and (r.campaign_id, r.version_id, r.due_at) <= (c.campaign_id, c.version_id, $3)`;

/**
 * The versions that have open runs are found with two look-ups each. Beside 300,000 due runs of one campaign and 40,000 waiting runs of 20
 * others, all this takes 1 ms.
 */
const sharesOfDue = sharesOf({
  columns,
  parts: `found as (
    (select campaign_id, version_id from campaign_run where ${isOpen} order by campaign_id, version_id limit 1)
    union all
    select n.* from found f cross join lateral (
      select campaign_id, version_id from campaign_run
       where ${isOpen} and (campaign_id, version_id) > (f.campaign_id, f.version_id)
       order by campaign_id, version_id limit 1) n
  ), parts as (select * from found)`,
  run: isDueOfVersion,
  order: 'r.campaign_id, r.version_id, r.due_at',
});
const sharesOfMoving = sharesOf({
  columns,
  parts: 'parts as (select * from unnest($3::int[], $4::int[]) as p (campaign_id, version_id))',
  run: `${isOpen} and (r.campaign_id, r.version_id) = (c.campaign_id, c.version_id)`,
  order: 'r.campaign_id, r.version_id, r.due_at',
});
const partsOfCampaigns = 'parts as (select * from unnest($3::int[]) as p (campaign_id))';
const sharesOfPaused = sharesOf({
  columns,
  parts: partsOfCampaigns,
  run: `r.campaign_id = c.campaign_id and ${isPaused}`,
  order: 'r.campaign_id, r.run_id',
});
const sharesOfCampaigns = sharesOf({
  columns,
  parts: partsOfCampaigns,
  run: `r.campaign_id = c.campaign_id and ${isOpen}`,
  order: 'r.campaign_id, r.version_id, r.due_at',
});

/** Whether a campaign has a run that has not ended. */
export async function hasOpenRuns(tx: ClientBase, campaignId: number, versionId?: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from campaign_run where campaign_id = $1 and ($2::int is null or version_id = $2) and ${isOpen}
      order by version_id, due_at limit 1`,
    [campaignId, versionId ?? null],
  );
  return rowCount !== 0;
}

/**
 * Fails runs whose campaign was deleted. A round or a start that was open during the deletion may have inserted them; without their version,
 * they can never move.
 */
export async function failOrphans(tx: ClientBase, runIds: ReadonlySet<number>, at: Micros): Promise<void> {
  if (runIds.size === 0) return;
  await tx.query(
    `update campaign_run set state = 'failed', reason = 'campaign_deleted', due_at = null, goal_until = null, moved_at = $2
      where run_id = any($1::bigint[])`,
    [[...runIds], timestamptzText(at)],
  );
}

/** Deletes runs of erased players. A start that was open during the erasure may have inserted them. */
export async function deleteRuns(tx: ClientBase, runIds: ReadonlySet<number>): Promise<void> {
  if (runIds.size === 0) return;
  await tx.query('delete from campaign_run where run_id = any($1::bigint[])', [[...runIds]]);
}

/** Consents of players, for some types. */
export async function readProductConsents(
  tx: ClientBase,
  players: readonly number[],
  types: readonly string[],
): Promise<{ player_id: number; type_key: string }[]> {
  if (types.length === 0) return [];
  const { rows } = await tx.query<{ player_id: number; type_key: string }>({
    name: 'read_product_consents',
    text: `select player_id, type_key from player_consent
            where player_id = any($1::bigint[]) and type_key = any($2::text[]) and opted_in and not in_doubt`,
    values: [players, types],
  });
  return rows;
}

export interface HeldRun {
  run_id: number;
  player_id: number;
  version_id: number;
  step: string | null;
}

export interface PlayersRuns extends EarlierRuns {
  player_id: number;
  campaign_id: number;
}

/**
 * The runs of players in some campaigns, for rules of re-entry. A player may have thousands of them. A run that ended because its cause
 * was withdrawn had no effect, so it does not count: after a deposit that was rolled back, the next one is again the first.
 */
export async function readEarlierRuns(
  tx: ClientBase,
  players: readonly number[],
  campaigns: readonly number[],
): Promise<PlayersRuns[]> {
  const { rows } = await tx.query<PlayersRuns>({
    name: 'read_earlier_campaign_runs',
    text: `select player_id, campaign_id, count(*)::int as runs, bool_or(${isOpen}) as is_running, max(entered_at) as last_entered_at
             from campaign_run
            where player_id = any($1::bigint[]) and campaign_id = any($2::int[]) and reason is distinct from 'cause_withdrawn'
            group by player_id, campaign_id`,
    values: [players, campaigns],
  });
  return rows;
}

type StartedCause = Pick<RunRow, 'player_id' | 'campaign_id' | 'cause_key'>;

/** Returns those of the causes that started a run. */
export async function readStartedCauses(tx: ClientBase, causes: readonly StartedCause[]): Promise<StartedCause[]> {
  const { rows } = await tx.query<StartedCause>({
    name: 'read_started_campaign_causes',
    // Without `+ 0`, and while the table has no statistics, PostgreSQL would read all runs of the campaign for each cause (71 ms
    // for 265 causes beside 1,500 runs). Without `offset 0`, a plan made while the table was empty would compare each run with each cause.
    text: `select r.player_id, r.campaign_id, r.cause_key
             from unnest($1::bigint[], $2::int[], $3::text[]) as k (player_id, campaign_id, cause_key)
            cross join lateral (
              select player_id, campaign_id, cause_key from campaign_run
               where player_id = k.player_id and campaign_id + 0 = k.campaign_id and cause_key = k.cause_key offset 0) r`,
    values: [
      causes.map(({ player_id }) => player_id),
      causes.map(({ campaign_id }) => campaign_id),
      causes.map(({ cause_key }) => cause_key),
    ],
  });
  return rows;
}

export interface MovedRun {
  run_id: number;
  player_id: number;
  version_id: number;
  state: Run['state'];
  reason: string | null;
  position: Position;
  due_at: Micros | null;
  goal_until: Micros | null;
  moved_at: Micros;
}

const movedColumns = columnsOf<MovedRun>({
  run_id: 'bigint',
  player_id: 'bigint',
  version_id: 'int',
  state: 'text',
  reason: 'text',
  position: 'jsonb',
  due_at: 'timestamptz',
  goal_until: 'timestamptz',
  moved_at: 'timestamptz',
});

/** Writes runs after they moved. A run that is over and stays in its state keeps its time, for example if its watch for a goal ends. */
export async function writeMoved(tx: ClientBase, runs: readonly MovedRun[]): Promise<void> {
  if (runs.length === 0) return;
  await tx.query({
    name: 'write_moved_campaign_runs',
    // Without `any`, a plan made while the table was empty would read all runs. $1 are the run_ids.
    text: `update campaign_run r set version_id = m.version_id, state = m.state, reason = m.reason, position = m.position,
                  due_at = m.due_at, goal_until = m.goal_until,
                  moved_at = case when r.state in ('done', 'exited') and m.state = r.state then r.moved_at else m.moved_at end
             from ${movedColumns.given('m')} where r.run_id = m.run_id and r.run_id = any($1::bigint[])`,
    values: movedColumns.values(runs),
  });
}

export interface StepRecordRow {
  player_id: number;
  run_id: number;
  campaign_id: number;
  version_id: number;
  step: string;
  state: string;
  at: Micros;
  reason: string | null;
  variant: string | null;
  effect: StoredEffect | null;
}

/** The result of a step. */
export interface StoredEffect {
  kind: string;
  channel?: string;
  message_id?: number;
  intent_id?: string;
  decision_id?: number | null;
}

const stepRecordColumns = columnsOf<StepRecordRow>({
  player_id: 'bigint',
  run_id: 'bigint',
  campaign_id: 'int',
  version_id: 'int',
  step: 'text',
  state: 'text',
  at: 'timestamptz',
  reason: 'text',
  variant: 'text',
  effect: 'jsonb',
});

export async function insertStepRecords(tx: ClientBase, rows: readonly StepRecordRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'insert_campaign_story',
    text: `insert into campaign_run_step (${stepRecordColumns.names}) select ${stepRecordColumns.stored('s')} from ${stepRecordColumns.given('s')}`,
    values: stepRecordColumns.values(rows),
  });
}

export interface RunPlayer {
  player_id: number;
  user_id: string;
  /** excluded or blocked; null if neither. */
  protection: 'excluded' | 'blocked' | null;
  /** From the operator's details. `time_zone` is not a field of the interface, but some operators send it. */
  zone: string | null;
  country: string | null;
  market: string | null;
}

/** Existing players; erased ones are left out. */
export async function readPlayers(tx: ClientBase, ids: readonly number[]): Promise<Map<number, RunPlayer>> {
  const { rows } = await tx.query<RunPlayer>({
    name: 'read_campaign_players',
    text: `select p.player_id, p.user_id, case when x.excluded then 'excluded' when x.blocked then 'blocked' end as protection,
                  f.extra ->> 'time_zone' as zone, f.country, f.market
             from player p left join player_protection x using (player_id) left join player_profile f using (player_id)
            where p.player_id = any($1::bigint[]) and p.erased_at is null`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.player_id, row]));
}
