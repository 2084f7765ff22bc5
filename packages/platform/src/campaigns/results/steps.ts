import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { withheldLater } from './withheld.ts';

/*
 * The current step of each run of a campaign, and the outcomes at each step. Counts and lists of players read the same relation, so a
 * count and the list behind it cannot differ.
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

/**
 * A relation for campaign $1 with the columns `(run_id, player_id, version_id, step, state, reason, variant, at)`. An effect that was
 * withheld after it was ordered makes its step withheld, and not done.
 */
const stepRows = `(${openRows}
  union all
  select s.run_id, s.player_id, s.version_id, s.step, ${ended}, s.reason, s.variant, s.at
    from campaign_run_step s where s.campaign_id = $1 and s.state in ('done', 'control', 'withheld')
     and not exists (select from ${later} w where w.story_id = s.story_id)
  union all
  select run_id, player_id, version_id, step, 'withheld', reason, variant, at from ${later} w
)`;

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
    // The counts of `stepRows`. The few effects that were withheld later move from done to withheld, which needs no join of all steps.
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

/** The runs behind a count, newest first. Runs only move forward, so each run appears once. */
export async function listRunSteps(
  pool: Pool,
  campaignId: number,
  { step, state, version_id, reason, variant }: RunStepFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<RunStepRow[]> {
  const { rows } = await pool.query<RunStepRow>(
    `select s.run_id, s.version_id, case when p.erased_at is null then p.user_id end as user_id, s.reason, s.variant, s.at
       from ${stepRows} s join player p on p.player_id = s.player_id
      where s.step = $2 and s.state = $3 and ($4::int is null or s.version_id = $4) and ($5::text is null or s.reason = $5)
        and ($6::text is null or s.variant = $6) and ($7::bigint is null or s.run_id < $7)
      order by s.run_id desc limit $8`,
    [campaignId, step, state, version_id ?? null, reason ?? null, variant ?? null, before ?? null, limit],
  );
  return rows;
}
