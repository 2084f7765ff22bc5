import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { messageOutcomes } from '../../channels/index.ts';

/*
 * Results of a campaign are counts over one relation: one row for each outcome of a run, or of an effect of one of its steps.
 * Totals, days and lists of players all read this relation, so a count always matches the list behind it.
 */

/** In the order of a funnel. */
export const outcomes = [
  'entered',
  'waiting',
  'held',
  'control',
  'withheld',
  'sent',
  'delivered',
  'shown',
  'opened',
  'clicked',
  'replied',
  'bounced',
  'complained',
  'unsubscribed',
  'credited',
  'goal_reached',
  'done',
  'exited',
  'failed',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * For campaign $1: `(run_id, player_id, version_id, step, outcome, at, reason)`; step is null for outcomes of the whole run.
 * `control` counts runs of control arms and of the brand's control group. Their effects do not count as withheld.
 */
const outcomeRows = `(
  select run_id, player_id, version_id, null::text as step, 'entered' as outcome, entered_at as at, null::text as reason
    from campaign_run where campaign_id = $1
  union all
  select run_id, player_id, version_id, null, state, moved_at, reason
    from campaign_run where campaign_id = $1 and state <> 'active'
  union all
  select distinct on (run_id) run_id, player_id, version_id, null, 'control', at, reason
    from campaign_run_step where campaign_id = $1 and (state = 'control' or state = 'withheld' and reason = 'holdout')
  union all
  select run_id, player_id, version_id, step, 'withheld', at, reason
    from campaign_run_step where campaign_id = $1 and state = 'withheld' and reason is distinct from 'holdout'
  union all
  select s.run_id, s.player_id, s.version_id, s.step, m.outcome, m.at, m.reason
    from campaign_run_step s join ${messageOutcomes} m on m.message_id = (s.effect ->> 'message_id')::bigint
   where s.campaign_id = $1 and s.state = 'done' and s.effect ? 'message_id'
  union all
  select s.run_id, s.player_id, s.version_id, s.step, 'credited', i.state_since, null
    from campaign_run_step s join bonus_intent i on i.intent_id = (s.effect ->> 'intent_id')::uuid
   where s.campaign_id = $1 and s.effect ? 'intent_id' and i.state = 'credited'
)`;

/** A count of one outcome. Version, step, split and variant are null if the count covers all of them. */
export interface OutcomeCount {
  version_id: number;
  step: string | null;
  outcome: Outcome;
  reason: string | null;
  count: number;
}

/** By version and step; withheld ones also by reason. */
export async function countOutcomes(pool: Pool, campaignId: number): Promise<OutcomeCount[]> {
  const { rows } = await pool.query<OutcomeCount>(
    `select version_id, step, outcome, case when outcome = 'withheld' then reason end as reason, count(*)::int as count
       from ${outcomeRows} o group by 1, 2, 3, 4`,
    [campaignId],
  );
  return rows;
}

export interface VariantCount {
  version_id: number;
  /** The step that splits. */
  split: string;
  variant: string;
  outcome: Outcome;
  count: number;
  /** Each player is counted once, however often they entered. */
  players: number;
}

/** By the arm of each split that the run passed. Outcomes before the split count, too, because they affect all arms alike. */
export async function countVariants(pool: Pool, campaignId: number): Promise<VariantCount[]> {
  const { rows } = await pool.query<VariantCount>(
    `select o.version_id, v.key as split, v.value as variant, o.outcome, count(*)::int as count, count(distinct o.player_id)::int as players
       from ${outcomeRows} o join campaign_run r using (run_id) cross join lateral jsonb_each_text(r.position -> 'variants') v
      where r.campaign_id = $1 group by 1, 2, 3, 4`,
    [campaignId],
  );
  return rows;
}

export interface DayCount {
  /** YYYY-MM-DD, in the time zone of the brand. */
  day: string;
  outcome: Outcome;
  count: number;
}

/** By the day on which it happened. A current state, such as waiting, counts on the day on which it began. */
export async function countDays(
  pool: Pool,
  campaignId: number,
  { zone, from, to }: { zone: string; from: string; to: string },
): Promise<DayCount[]> {
  const { rows } = await pool.query<DayCount>(
    `select to_char(o.at at time zone $2, 'YYYY-MM-DD') as day, o.outcome, count(*)::int as count
       from ${outcomeRows} o
      where o.at >= ($3::date)::timestamp at time zone $2 and o.at < ($4::date + 1)::timestamp at time zone $2
      group by 1, 2 order by 1, 2`,
    [campaignId, zone, from, to],
  );
  return rows;
}

/** The rows of a count. Omitted fields do not filter. */
export interface OutcomeFilter {
  outcome: Outcome;
  version_id?: number | undefined;
  step?: string | undefined;
  reason?: string | undefined;
  /** Set both or neither. */
  split?: string | undefined;
  variant?: string | undefined;
}

export interface OutcomeRow {
  run_id: number;
  /** Null if the player was erased. */
  user_id: string | null;
  step: string | null;
  at: Micros;
  reason: string | null;
}

/** The position of a row in the list: its run, and its step ('' for the whole run). */
export type OutcomePlace = [run_id: number, step: string];

/** The runs and effects behind a count, newest run first. */
export async function listOutcomes(
  pool: Pool,
  campaignId: number,
  filter: OutcomeFilter,
  { before, limit }: { before?: OutcomePlace | undefined; limit: number },
): Promise<OutcomeRow[]> {
  const { outcome, version_id, step, reason, split, variant } = filter;
  const [run, place] = before ?? [null, null];
  const { rows } = await pool.query<OutcomeRow>(
    `select o.run_id, case when p.erased_at is null then p.user_id end as user_id, o.step, o.at, o.reason
       from ${outcomeRows} o join campaign_run r using (run_id) join player p on p.player_id = o.player_id
      where o.outcome = $2 and ($3::int is null or o.version_id = $3) and ($4::text is null or o.step = $4)
        and ($5::text is null or o.reason = $5) and ($6::text is null or r.position -> 'variants' ->> $6 = $7)
        and ($8::bigint is null or (o.run_id, coalesce(o.step, '')) < ($8, $9::text))
      order by o.run_id desc, coalesce(o.step, '') desc limit $10`,
    [
      campaignId,
      outcome,
      version_id ?? null,
      step ?? null,
      reason ?? null,
      split ?? null,
      variant ?? null,
      run,
      place,
      limit,
    ],
  );
  return rows;
}
