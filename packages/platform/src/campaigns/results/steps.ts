import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { campaignValues, type OutcomesOf, typed, withheldEffects } from './outcomes.ts';
import { withheldLater, withheldLaterOf } from './withheld.ts';

/*
 * The current step of each run of a campaign, and the outcomes at each step. A test compares each count with the list behind it
 * (console/campaigns/results.db.test.ts).
 */
export const stepStates = ['waiting', 'held', 'done', 'withheld'] as const;
export type StepState = (typeof stepStates)[number];

/** Runs that wait or are held: each at one step. */
const openRows = `
  select run_id, player_id, version_id, position ->> 'step' as step, state, reason, null::text as variant, moved_at as at
    from campaign_run where campaign_id = $1 and state in ('waiting', 'held') and position ->> 'step' is not null`;

/** A run counts as done at each step that it completed, including a split into a control arm. */
const ended = `case s.state when 'control' then 'done' else s.state end`;
const later = withheldLater('s.campaign_id = $1');

export interface RunStepCount {
  version_id: number;
  step: string;
  state: StepState;
  reason: string | null;
  /** The arm of a split. */
  variant: string | null;
  count: number;
}

export async function countRunSteps(pool: Pool, campaignId: number): Promise<RunStepCount[]> {
  const { rows } = await pool.query<RunStepCount>(
    // The few effects that were withheld later move from done to withheld, which needs no join of all steps.
    `select version_id, step, state, reason, variant, sum(count)::int as count from (
       select version_id, step, state, reason, variant, count(*) from (${openRows}) r group by 1, 2, 3, 4, 5
       union all
       select s.version_id, s.step, ${ended}, s.reason, s.variant, count(*)
         from campaign_run_step s where s.campaign_id = $1 and s.state in ('done', 'control', 'withheld') group by 1, 2, 3, 4, 5
       union all
       select w.version_id, w.step, m.state, m.reason, w.variant, m.count
         from (select version_id, step, ordered_reason, variant, reason, count(*) from ${later} w group by 1, 2, 3, 4, 5) w
        cross join lateral (values ('withheld', w.reason, w.count), ('done', w.ordered_reason, -w.count)) m (state, reason, count)
     ) s group by 1, 2, 3, 4, 5 having sum(count) > 0 order by 1 desc, 2, 3, 4, 5`,
    [campaignId],
  );
  return rows;
}

/** Identifies a count. Omitted fields do not restrict it. */
export interface RunStepFilter {
  step: string;
  state: StepState;
  version_id?: number | undefined;
  reason?: string | undefined;
  variant?: string | undefined;
}

export interface RunStepRow {
  run_id: number;
  version_id: number;
  /** Null: the player was erased. */
  user_id: string | null;
  reason: string | null;
  variant: string | null;
  at: Micros;
}

/**
 * The runs behind a count, newest first. Runs only move forward, so each run appears once. An effect that was withheld after it was ordered
 * makes its step withheld, and not done.
 *
 * Each kind of row has a separate query. An index returns its rows in the order of the list, so only the rows of the
 * page are read. With 1,000,000 steps and 2,000 withheld effects, a query over all rows took 1.3 s for the withheld and
 * 6 s for the others.
 */
export async function listRunSteps(
  pool: Pool,
  campaign: OutcomesOf,
  { step, state, version_id, reason, variant }: RunStepFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<RunStepRow[]> {
  const rows = await rowsWith(pool, campaign, state);
  const pages = rows.map(
    (one) => `(select s.* from (${one}) s
      where s.step = $4 and ($5::int is null or s.version_id = $5) and ($6::text is null or s.reason = $6)
        and ($7::text is null or s.variant = $7) and ($8::bigint is null or s.run_id < $8)
      order by s.run_id desc limit $9)`,
  );
  const { rows: found } = await pool.query<RunStepRow>(
    `select s.run_id, s.version_id, case when p.erased_at is null then p.user_id end as user_id, s.reason, s.variant, s.at
       from (${pages.join(' union all ')}) s join player p on p.player_id = s.player_id
      where ${typed} order by s.run_id desc limit $9`,
    [...campaignValues(campaign), step, version_id ?? null, reason ?? null, variant ?? null, before ?? null, limit],
  );
  return found;
}

/** Relations `(run_id, player_id, version_id, step, reason, variant, at)` of campaign $1, each in the order of an index. */
async function rowsWith(pool: Pool, campaign: OutcomesOf, state: StepState): Promise<string[]> {
  const columns = 's.run_id, s.player_id, s.version_id, s.step, s.reason, s.variant, s.at';
  switch (state) {
    case 'waiting':
    case 'held':
      return [`select ${columns} from (${openRows} and state = '${state}') s`];
    case 'done':
      return [
        `select ${columns} from campaign_run_step s
          where s.campaign_id = $1 and s.state in ('done', 'control') and not exists ${withheldLaterOf('s')}`,
      ];
    case 'withheld': {
      // Only splits have arms.
      const ordered = (rows: string) =>
        `select s.run_id, s.player_id, s.version_id, s.step, s.reason, null::text as variant, s.at from (${rows}) s`;
      return [
        `select ${columns} from campaign_run_step s where s.campaign_id = $1 and s.state = 'withheld'`,
        ...(await withheldEffects(pool, campaign)).map(ordered),
      ];
    }
    default:
      return state satisfies never;
  }
}
