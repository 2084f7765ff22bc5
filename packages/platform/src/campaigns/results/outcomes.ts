import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { intentOutcome } from '../../actions/index.ts';
import { messageCounts, messagesWith } from '../../channels/index.ts';
import { drawnVersions, mayHaveMoved } from './moved-runs.ts';

/*
 * Results of a campaign are counts over the rows of `outcomeRows`: one row for each outcome of a run, or of an effect
 * of one of its steps. Lists of players read these rows. Totals, and counts per day, read `outcomeCounts`, which counts
 * the same rows without creating each of them. results.db.test.ts compares every count with its list.
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
  'unknown',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * SQL of the relations that contain the rows with one outcome, except outcomes of effects, for campaign $1. Their columns are `(run_id,
 * player_id, version_id, step, at, reason)`. Step is null for outcomes of the whole run. `control` has runs of control arms and of the
 * brand's control group. Their effects do not count as withheld. `failed` has runs (without a step) and effects (with a step).
 *
 * The relations are separate. So a list reads only the relations that can have its outcome, and from each only the rows of its page.
 */
function outcomeRows(outcome: Outcome): string[] {
  const ofRun = 'select run_id, player_id, version_id, null::text as step';
  const rows: string[] = [];
  if (outcome === 'entered')
    rows.push(`${ofRun}, entered_at as at, null::text as reason from campaign_run where campaign_id = $1`);
  if (ofRuns.has(outcome))
    rows.push(`${ofRun}, moved_at as at, reason from campaign_run where campaign_id = $1 and state = '${outcome}'`);
  if (outcome === 'control')
    rows.push(`select distinct on (run_id) run_id, player_id, version_id, null::text as step, at, reason from (
      select * from campaign_run_step where campaign_id = $1 and state = 'control'
      union all select * from campaign_run_step where campaign_id = $1 and state = 'withheld' and reason = 'holdout') s
      order by run_id desc`);
  if (outcome === 'withheld')
    rows.push(`select run_id, player_id, version_id, step, at, reason
      from campaign_run_step where campaign_id = $1 and state = 'withheld' and reason is distinct from 'holdout'`);
  return rows;
}

/** A campaign, with what identifies it in its messages and intents. */
export interface OutcomesOf {
  campaign_id: number;
  brand_id: number;
  code: string;
}

/**
 * The outcomes of the effects of the campaign $1: each relation with its key, and the column of a step's effect that contains the same
 * key. Messages and intents have the brand $2 and the code $3 of the campaign.
 */
function effectsWith(outcome: Outcome): EffectRows[] {
  const states = intentStates[outcome];
  const messages = messagesWith(outcome, { brand_id: '$2::int', code: '$3::text' });
  const intents = `(select i.intent_id, i.state_since as at, i.reason from bonus_intent i
    where i.state in (${states}) and ${intentOutcome('i')} = '${outcome}' and i.brand_id = $2::int and i.activity_id = $3::text)`;
  return [
    ...(messages.length === 0 ? [] : [{ relations: messages, key: 'message_id', type: 'bigint' }]),
    ...(states === undefined ? [] : [{ relations: [intents], key: 'intent_id', type: 'uuid' }]),
  ];
}

interface EffectRows {
  relations: string[];
  key: string;
  type: string;
}

/** Up to this number of effects with an outcome, the step of each effect is looked up. */
const fewEffects = 5_000;

/**
 * The steps of campaign $1 whose effect has an outcome. The planner cannot know how many there are, because the key of
 * an effect is in a jsonb column. So the effects of the campaign are counted first, up to `few`. If there are fewer,
 * their steps are looked up. If there are many, the newest steps are read, each with its effect, and the page is soon
 * full.
 */
async function stepsOf(
  pool: Pool,
  campaign: OutcomesOf,
  { relations, key, type }: EffectRows,
  few: number,
): Promise<string> {
  const columns = 's.run_id, s.player_id, s.version_id, s.step, e.at, e.reason';
  const own = `(s.effect ->> '${key}')::${type}`;
  const where = `s.campaign_id = $1 and s.state = 'done' and s.effect ? '${key}'`;
  const { rows: found } = await pool.query(
    `select from (${relations.map((rows) => `(select from ${rows} e limit ${few})`).join(' union all ')}) e where ${typed} limit ${few}`,
    campaignValues(campaign),
  );
  // `offset 0` keeps the planner from reading all steps, or all effects.
  return found.length < few
    ? `select ${columns} from (${relations.join(' union all ')}) e
         cross join lateral (select s.* from campaign_run_step s where ${own} = e.${key} and ${where} offset 0) s`
    : `select ${columns} from campaign_run_step s
         cross join lateral (${relations.map((rows) => `select at, reason from ${rows} e where e.${key} = ${own}`).join(' union all ')} offset 0) e
        where ${where} and s.effect is not null`;
}

/** Not every query uses all of these parameters, and PostgreSQL refuses one without a type. */
export const typed = '$1::int is not null and $2::int is not null and $3::text is not null';
export const campaignValues = ({ campaign_id, brand_id, code }: OutcomesOf) => [campaign_id, brand_id, code];

/** SQL of the effects of campaign $1 that were withheld after they were ordered; see `stepsOf`. */
export async function withheldEffects(pool: Pool, campaign: OutcomesOf): Promise<string[]> {
  return Promise.all(effectsWith('withheld').map((of) => stepsOf(pool, campaign, of, fewEffects)));
}

/** The outcomes that are states of runs. */
const ofRuns: ReadonlySet<Outcome> = new Set(['waiting', 'held', 'done', 'goal_reached', 'exited', 'failed']);
/**
 * The states of the intents that can have an outcome of `intentOutcome`. With them, the planner can estimate the number
 * of rows.
 */
const intentStates: Partial<Record<Outcome, string>> = {
  credited: `'credited'`,
  unknown: `'unknown', 'needs_person'`,
  withheld: `'rejected'`,
  failed: `'rejected'`,
};

/**
 * The rows of `outcomeRows`, counted: `(version_id, step, arms, drawn, outcome, reason, day, count)`. The reason is null except for withheld,
 * failed and unknown effects. Arms and day are null unless requested, and a day needs the time zone as $2. Drawn is null unless runs have
 * moved. Each table is read once for
 * all its outcomes, because a campaign of a million runs has several million rows of outcomes.
 */
function outcomeCounts({ byArm = false, hasMoved = false, byDay = false }: CountsBy & { byDay?: boolean }): string {
  const arms = `${byArm ? `r.position -> 'variants'` : 'null::jsonb'} as arms, ${byArm && hasMoved ? 'd.drawn' : 'null::jsonb'} as drawn`;
  const drawn = byArm && hasMoved ? `left join ${drawnVersions} d using (run_id)` : '';
  const day = (at: string) => (byDay ? `(${at} at time zone $2)::date` : 'null::date');
  const steps = (where: string, effect = '') => `(
    select s.run_id, s.version_id, s.step, s.reason, s.at, ${arms} ${effect}
      from campaign_run_step s ${byArm ? 'left join campaign_run r using (run_id)' : ''} ${drawn} where s.campaign_id = $1 and ${where})`;
  const messages = messageCounts(
    steps(`s.state = 'done' and s.effect ? 'message_id'`, `, (s.effect ->> 'message_id')::bigint as message_id`),
    ['version_id', 'step', 'arms', 'drawn'],
    byDay ? day : () => 'true',
  );
  return `(
  select r.version_id, null::text as step, r.arms, r.drawn, o.outcome, null::text as reason, o.day, r.count
    from (select r.version_id, ${arms}, r.state, ${day('r.entered_at')} as entered, ${day('r.moved_at')} as moved, count(*) as count
            from campaign_run r ${drawn} where r.campaign_id = $1 group by 1, 2, 3, 4, 5, 6) r
    cross join lateral (values ('entered', r.entered), (nullif(r.state, 'active'), r.moved)) o (outcome, day) where o.outcome is not null
  union all
  select version_id, null, arms, drawn, 'control', null, day, count(*)
    from (select distinct on (s.run_id) s.version_id, s.arms, s.drawn, ${day('s.at')} as day
            from ${steps(`(s.state = 'control' or s.state = 'withheld' and s.reason = 'holdout')`)} s) s
   group by version_id, arms, drawn, day
  union all
  select s.version_id, s.step, s.arms, s.drawn, 'withheld', s.reason, ${day('s.at')} as day, count(*)
    from ${steps(`s.state = 'withheld' and s.reason is distinct from 'holdout'`)} s group by 1, 2, 3, 4, 6, 7
  union all
  select version_id, step, arms, drawn, outcome, reason, ${byDay ? 'mark' : 'null'}, count from ${messages} m
  union all
  select s.version_id, s.step, s.arms, s.drawn, ${intentOutcome('i')} as outcome, i.reason, ${day('i.state_since')} as day, count(*)
    from ${steps(`s.effect ? 'intent_id'`, `, (s.effect ->> 'intent_id')::uuid as intent_id`)} s
    join bonus_intent i using (intent_id) where ${intentOutcome('i')} is not null group by 1, 2, 3, 4, 5, 6, 7
)`;
}

interface CountsBy {
  byArm?: boolean;
  /** The result of `mayHaveMoved`. */
  hasMoved?: boolean;
}

/** The count of one outcome. Step is null if the outcome concerns the whole run. */
export interface OutcomeCount {
  version_id: number;
  step: string | null;
  outcome: Outcome;
  reason: string | null;
  /** The arm of each split that the run passed, if asked for. Outcomes before a split count, too, because they affect all arms alike. */
  arms: Record<string, string> | null;
  /** Of a run that moved: the version that drew its arm, by split. */
  drawn: Record<string, number> | null;
  count: number;
}

/** Counts outcomes by version and step. Withheld, failed and unknown effects are also counted by reason. */
export async function countOutcomes(pool: Pool, campaignId: number, options: CountsBy): Promise<OutcomeCount[]> {
  const { rows } = await pool.query<OutcomeCount>(
    `select version_id, step, arms, drawn, outcome, reason, sum(count)::int as count from ${outcomeCounts(options)} o
      group by 1, 2, 3, 4, 5, 6`,
    [campaignId],
  );
  return rows;
}

export interface ArmPlayers {
  version_id: number;
  /** The step that splits. */
  split: string;
  variant: string;
  players: number;
}

/**
 * The players whom the splits of each version put into their arms. Each is counted once, however often the player entered. A run that moved
 * later still counts for the earlier version.
 */
export async function countArmPlayers(pool: Pool, campaignId: number): Promise<ArmPlayers[]> {
  const { rows } = await pool.query<ArmPlayers>(
    `select version_id, step as split, variant, count(distinct player_id)::int as players
       from campaign_run_step where campaign_id = $1 and variant is not null group by 1, 2, 3`,
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

/** Counts outcomes by the day on which they happened. A current state, such as waiting, counts on the day on which it began. */
export async function countDays(
  pool: Pool,
  campaignId: number,
  { zone, from, to }: { zone: string; from: string; to: string },
): Promise<DayCount[]> {
  const { rows } = await pool.query<DayCount>(
    `select to_char(day, 'YYYY-MM-DD') as day, outcome, sum(count)::int as count from ${outcomeCounts({ byDay: true })} o
      where day between $3::date and $4::date group by o.day, o.outcome order by 1, 2`,
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

/** The runs and effects behind a count, newest run first. @param few see `stepsOf`; a test reads the same list in both ways */
export async function listOutcomes(
  pool: Pool,
  campaign: OutcomesOf,
  filter: OutcomeFilter,
  { before, limit, few = fewEffects }: { before?: OutcomePlace | undefined; limit: number; few?: number },
): Promise<OutcomeRow[]> {
  const { outcome, version_id, step, reason, split, variant } = filter;
  const values: unknown[] = campaignValues(campaign);
  const value = (one: unknown) => `$${values.push(one)}`;
  const isDrawn = split !== undefined && version_id !== undefined && (await mayHaveMoved(pool, campaign.campaign_id));
  const drawn = (by: number) =>
    `coalesce((select d.version_id from campaign_run_step d
                where d.run_id = o.run_id and d.step = ${value(split)} and d.variant is not null
                  and exists (select from campaign_run_step m where m.run_id = o.run_id and m.state = 'moved')), version_id) = ${value(by)}`;
  const conditions = [
    ...(version_id === undefined ? [] : [isDrawn ? drawn(version_id) : `version_id = ${value(version_id)}`]),
    ...(step === undefined ? [] : [`step = ${value(step)}`]),
    ...(reason === undefined ? [] : [`reason = ${value(reason)}`]),
    ...(split === undefined
      ? []
      : [
          `exists (select from campaign_run r where r.run_id = o.run_id and r.position -> 'variants' ->> ${value(split)} = ${value(variant)})`,
        ]),
    // The first of the two conditions can use an index on `run_id` that does not contain the step.
    ...(before === undefined
      ? []
      : [
          `run_id <= ${value(before[0])}`,
          `(run_id, coalesce(step, '')) < (${value(before[0])}, ${value(before[1])}::text)`,
        ]),
  ];
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const page = `order by run_id desc, coalesce(step, '') desc limit ${value(limit)}`;
  const effects = await Promise.all(effectsWith(outcome).map((of) => stepsOf(pool, campaign, of, few)));
  const pages = [...outcomeRows(outcome), ...effects].map((rows) => `(select o.* from (${rows}) o ${where} ${page})`);
  const { rows } = await pool.query<OutcomeRow>(
    `select o.run_id, case when p.erased_at is null then p.user_id end as user_id, o.step, o.at, o.reason
       from (select * from (${pages.join(' union all ')}) o ${page}) o join player p using (player_id)
      where ${typed} order by o.run_id desc, coalesce(o.step, '') desc`,
    values,
  );
  return rows;
}
