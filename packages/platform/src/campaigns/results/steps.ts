import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/*
 * Where the runs of a campaign stand, and what became of those that came to a step. Counts and lists of players read the same relation, so a
 * count and the list behind it cannot differ.
 */
export const stepStates = ['waiting', 'held', 'done', 'withheld'] as const;
export type StepState = (typeof stepStates)[number];

/**
 * Of campaign $1: `(run_id, player_id, version_id, step, state, reason, variant, at)`. A run waits or is held at one step; it is done with each
 * that it went through, those that split it into a control arm included.
 */
const stepRows = `(
  select run_id, player_id, version_id, position ->> 'step' as step, state, reason, null::text as variant, moved_at as at
    from campaign_run where campaign_id = $1 and state in ('waiting', 'held') and position ->> 'step' is not null
  union all
  select run_id, player_id, version_id, step, case state when 'control' then 'done' else state end, reason, variant, at
    from campaign_run_step where campaign_id = $1 and state in ('done', 'control', 'withheld')
)`;

export interface StandingCount {
  version_id: number;
  step: string;
  state: StepState;
  reason: string | null;
  /** The arm that a split gave. */
  variant: string | null;
  count: number;
}

export async function countStandings(pool: Pool, campaignId: number): Promise<StandingCount[]> {
  const { rows } = await pool.query<StandingCount>(
    `select version_id, step, state, reason, variant, count(*)::int as count
       from ${stepRows} s group by 1, 2, 3, 4, 5 order by 1 desc, 2, 3, 4, 5`,
    [campaignId],
  );
  return rows;
}

/** Whom a count is about. What is left out does not narrow. */
export interface StandingFilter {
  step: string;
  state: StepState;
  version_id?: number | undefined;
  reason?: string | undefined;
  variant?: string | undefined;
}

export interface StandingRow {
  run_id: number;
  version_id: number;
  /** Null: the player was erased. */
  user_id: string | null;
  reason: string | null;
  variant: string | null;
  at: Micros;
}

/** The runs behind a count, the newest first. Steps only go forward, so a run is behind a count once. */
export async function listStandings(
  pool: Pool,
  campaignId: number,
  { step, state, version_id, reason, variant }: StandingFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<StandingRow[]> {
  const { rows } = await pool.query<StandingRow>(
    `select s.run_id, s.version_id, case when p.erased_at is null then p.user_id end as user_id, s.reason, s.variant, s.at
       from ${stepRows} s join player p on p.player_id = s.player_id
      where s.step = $2 and s.state = $3 and ($4::int is null or s.version_id = $4) and ($5::text is null or s.reason = $5)
        and ($6::text is null or s.variant = $6) and ($7::bigint is null or s.run_id < $7)
      order by s.run_id desc limit $8`,
    [campaignId, step, state, version_id ?? null, reason ?? null, variant ?? null, before ?? null, limit],
  );
  return rows;
}
