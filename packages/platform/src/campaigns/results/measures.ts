import type { DecimalText, Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText, unprocessableWords } from '../../database/index.ts';
import { rulingReasons } from '../../gate/index.ts';
import type { GroupSize } from './comparison.ts';
import { drawnVersions, mayHaveMoved } from './moved-runs.ts';

/*
 * What players did after they entered, by arm. Money is computed as in traits (docs/reference/decisions.md 3): by days of the
 * brand's time zone, in its base currency. The whole day of entry counts, in every arm.
 */
export const measures = ['deposits', 'ggr', 'ngr'] as const;
export type Measure = (typeof measures)[number];

/** The players of an arm whose windows have ended. */
export interface ArmMeasures {
  version_id: number;
  /** The step that splits; null compares the brand's control group with all other players. */
  split: string | null;
  variant: string;
  players: number;
  /** How many of them deposited. */
  depositors: number;
  totals: Record<Measure, { sum: string; sum_of_squares: number }>;
}

/**
 * Maximum number of players measured per arm: those who entered last. The number is limited because their days are read one by
 * one. All arms of a split begin with the same run. Otherwise a small arm would contain players of a longer period than a large one, and
 * the comparison would contain the season and the growth of the brand.
 */
const mostMeasured = 20_000;

/** The players that are measured. */
export interface MeasuredWindow {
  /** The time zone of the brand. */
  zone: string;
  /** 1 is only the day of entry. */
  days: number;
  /** The first day that is not counted yet, in the brand's time zone. */
  today: string;
  /** Default 20,000: the maximum number of players per arm. */
  most?: number;
}

/**
 * The two arms of the brand's control group. Only steps at which a player of the control group was withheld are compared, and only players
 * whose contact at such a step the gate allowed: those whom the control group withheld, and those whom it did not. Players who left before,
 * or whose contact the gate withheld, are in neither arm, because it is not decided to which they belong.
 */
export const holdoutArm = 'holdout';
export const reachedArm = 'reached';

/** Whether the brand's control group withheld an effect of the campaign, so that there are two arms to compare. */
export async function hasHoldout(pool: Pool, campaignId: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from campaign_run_step where campaign_id = $1 and state = 'withheld' and reason = 'holdout' limit 1`,
    [campaignId],
  );
  return rowCount !== 0;
}

/**
 * SQL on a record of a step: the gate allowed the effect, so the control group decided about it. The control group is the first of the rules
 * of contact, so it also decided if another of these rules withheld or held the effect.
 *
 * A step that ordered its effect has `effect`. It also counts if the effect was withheld later, for example because the player has no
 * number. Nothing is ordered for the control group, so its players without a number are in it, too.
 *
 * If a run could not be processed, it may be unknown whether the control group had decided. Such a run is in neither arm.
 */
function isPastControlGroup(step: string): string {
  const rules = rulingReasons.map((reason) => `'${reason}'`);
  return `(${step}.state = 'done' or ${step}.state = 'withheld' and ${step}.effect is not null
           or ${step}.state in ('withheld', 'held') and ${step}.reason in (${rules.join(', ')})
           or ${step}.state = 'failed' and not starts_with(${step}.reason, '${unprocessableWords}'))`;
}

/**
 * SQL for the runs about which the control group decided: its first decision about each run, and when it was. A later decision may differ if
 * the size of the group changed meanwhile. $1 is the campaign.
 */
const decidedRuns = `(
       select distinct on (s.run_id) s.run_id, s.version_id, s.state = 'withheld' and s.reason = 'holdout' as held_out, s.at from campaign_run_step s
        where s.campaign_id = $1 and ${isPastControlGroup('s')} and s.step in (
              select step from campaign_run_step where campaign_id = $1 and state = 'withheld' and reason = 'holdout')
        order by s.run_id, s.story_id)`;

/**
 * The players of the control group and the others, by version and by the size that the group had when it decided. The sizes are read
 * before, because they are control data, and the runs are data of a cell.
 */
export async function countControlGroup(
  pool: Pool,
  campaignId: number,
): Promise<(GroupSize & { version_id: number })[]> {
  const { rows: sizes } = await pool.query<{ percent: number; since: Micros }>(
    `select h.percent::float8 as percent, h.since from campaign c join brand_holdout h using (brand_id)
      where c.campaign_id = $1 order by h.since`,
    [campaignId],
  );
  const { rows } = await pool.query<GroupSize & { version_id: number }>(
    `with first_run as (
       select distinct on (player_id) run_id from campaign_run where campaign_id = $1 order by player_id, run_id
     ), size as (
       select percent, case when row_number() over w > 1 then since else '-infinity' end as since, lead(since, 1, 'infinity') over w as until
         from unnest($2::float8[], $3::timestamptz[]) as given (percent, since) window w as (order by since)
     )
     select d.version_id, z.percent, count(*)::int as players, (count(*) filter (where d.held_out))::int as held_out
       from first_run f join ${decidedRuns} d using (run_id)
       join size z on d.at >= z.since and d.at < z.until
      group by 1, 2 order by 1 desc, 2`,
    [campaignId, sizes.map(({ percent }) => percent), sizes.map(({ since }) => timestamptzText(since))],
  );
  return rows;
}

/**
 * SQL that defines `done`: the players whose windows have ended, with what they did. Its parameters are the campaign, the time zone,
 * the days of the window, and the first day that is not counted yet. The sums of an arm and the list of its players read `done`.
 */
const measuredPlayers = ({ most = mostMeasured }: MeasuredWindow, hasMoved: boolean) => `with first_run as (
       select distinct on (player_id) run_id, player_id, version_id, position, (entered_at at time zone $2)::date as day
         from campaign_run where campaign_id = $1 order by player_id, run_id
     ), decided as ${decidedRuns}, of_arm as (
       select ${hasMoved ? 'coalesce((w.drawn ->> v.key)::int, f.version_id)' : 'f.version_id'} as version_id, v.key as split,
              v.value as variant, f.player_id, f.run_id, f.day
         from first_run f cross join lateral jsonb_each_text(f.position -> 'variants') v
         ${hasMoved ? `left join ${drawnVersions} w on w.run_id = f.run_id` : ''}
       union all
       select d.version_id, null, case when d.held_out then '${holdoutArm}' else '${reachedArm}' end, f.player_id, f.run_id, f.day
         from first_run f join decided d using (run_id)
     ), placed as (
       select a.*, row_number() over (partition by version_id, split, variant order by run_id desc) as place
         from of_arm a where day + $3::int <= $4::date
     ), measured as (
       -- The latest of the arms' oldest runs. An arm with fewer runs than the maximum does not limit the others.
       select * from (select p.*, max(run_id) filter (where place = ${most}) over (partition by version_id, split) as oldest from placed p) p
        where oldest is null or run_id >= oldest
     ), done as (
       select m.version_id, m.split, m.variant, m.player_id, m.run_id,
              coalesce(p.deposits, 0) as deposits,
              coalesce(c.ggr, 0) + coalesce(s.ggr, 0) + coalesce(l.ggr, 0) as ggr,
              coalesce(c.ggr, 0) + coalesce(s.ggr, 0) + coalesce(l.ggr, 0) - coalesce(b.cost, 0) - coalesce(f.cost, 0) as ngr
         from measured m
         left join lateral (select sum(deposit_sum) as deposits from payment_day d
                             where d.player_id = m.player_id and d.day >= m.day and d.day < m.day + $3::int) p on true
         left join lateral (select sum(real_bet_sum - real_win_sum) as ggr from casino_day d
                             where d.player_id = m.player_id and d.day >= m.day and d.day < m.day + $3::int) c on true
         left join lateral (select sum(real_bet_sum - real_win_sum) as ggr from sports_day d
                             where d.player_id = m.player_id and d.day >= m.day and d.day < m.day + $3::int) s on true
         left join lateral (select sum(real_bet_sum - real_win_sum) as ggr from lottery_day d
                             where d.player_id = m.player_id and d.day >= m.day and d.day < m.day + $3::int) l on true
         left join lateral (select sum(turned_real_sum) as cost from bonus_day d
                             where d.player_id = m.player_id and d.day >= m.day and d.day < m.day + $3::int) b on true
         left join lateral (select sum(funds_credited_sum) as cost from funds_day d
                             where d.player_id = m.player_id and d.day >= m.day and d.day < m.day + $3::int) f on true
     )`;

/** @param hasMoved the result of `mayHaveMoved` */
export async function measureArms(
  pool: Pool,
  campaignId: number,
  window: MeasuredWindow,
  hasMoved: boolean,
): Promise<ArmMeasures[]> {
  const { rows } = await pool.query<Omit<ArmMeasures, 'totals'> & Record<string, string | number>>(
    `${measuredPlayers(window, hasMoved)}
     select version_id, split, variant, count(*)::int as players, (count(*) filter (where deposits > 0))::int as depositors,
            ${measures.map((one) => `trim_scale(sum(${one}))::text as ${one}, sum(${one} * ${one})::float8 as ${one}_squares`).join(', ')}
       from done group by 1, 2, 3 order by 1 desc, 2, 3`,
    [campaignId, window.zone, window.days, window.today],
  );
  return rows.map(({ version_id, split, variant, players, depositors, ...sums }) => ({
    version_id,
    split,
    variant,
    players,
    depositors,
    totals: Object.fromEntries(
      measures.map((one) => [one, { sum: String(sums[one]), sum_of_squares: Number(sums[`${one}_squares`]) }]),
    ) as ArmMeasures['totals'],
  }));
}

/** What the bonuses of a campaign cost, in the brand's base currency, as decimals. */
export interface BonusCost {
  version_id: number;
  step: string;
  /** Bonuses that the operator granted, from its events. */
  granted: string;
  /** The part of them that became real money. */
  turned_real: string;
  /** Funds that were credited directly. */
  funds: string;
}

const orderedIntents = `with intent as (
       select version_id, step, run_id, player_id, (effect ->> 'intent_id')::uuid as intent_id
         from campaign_run_step where campaign_id = $1 and effect ? 'intent_id'
     )`;

/**
 * The references of a bonus identify its intent. If it has no references, its code identifies the intent
 * (docs/reference/decisions.md 6).
 */
export async function readBonusCost(pool: Pool, campaignId: number): Promise<BonusCost[]> {
  const { rows } = await pool.query<BonusCost>(
    `${orderedIntents}
     select i.version_id, i.step, trim_scale(coalesce(sum(b.base_amount), 0))::text as granted,
            trim_scale(coalesce(sum(b.base_turned_real), 0))::text as turned_real,
            trim_scale(coalesce(sum(f.base_amount), 0))::text as funds
       from intent i
       left join bonus_intent_grant g on g.intent_id = i.intent_id
       left join bonus b on b.player_id = g.player_id and b.user_bonus_id = g.user_bonus_id and b.granted
       left join funds f on f.player_id = i.player_id and f.intent_id = i.intent_id::text and f.counted
      group by 1, 2 order by 1 desc, 2`,
    [campaignId],
  );
  return rows;
}

/** The amounts that have lists. `measured` lists all players of an arm whose window has ended, `depositors` those who deposited. */
export const listedAmounts = ['measured', 'depositors', 'granted', 'turned_real', 'funds'] as const;
export type ListedAmount = (typeof listedAmounts)[number];

export interface AmountFilter {
  of: ListedAmount;
  version_id?: number | undefined;
  step?: string | undefined;
  /** The arm, for `measured` and `depositors`. No split: the brand's control group. */
  split?: string | undefined;
  variant?: string | undefined;
  window: MeasuredWindow;
}

export interface AmountRow {
  run_id: number;
  /** Null if the player was erased. */
  user_id: string | null;
  step: string | null;
  at: Micros;
  /** Decimal, in the base currency: the deposits of the window, or the cost. */
  amount: string;
  /** The bonus of the operator (user_bonus_id), or the intent that credited funds. */
  reference: string | null;
  /** Unique within the run. */
  key: string;
}

/** The position of a row in its list. */
export type AmountPlace = [run_id: number, key: string];

/** `(run_id, player_id, version_id, step, at, amount, reference)` of the bonuses and funds that `readBonusCost` sums. */
const costRows: Readonly<Record<'granted' | 'turned_real' | 'funds', string>> = {
  granted: bonusRows('b.base_amount', 'b.at', 'b.base_amount <> 0'),
  turned_real: bonusRows('b.base_turned_real', 'coalesce(b.turned_real_at, b.at)', 'b.base_turned_real <> 0'),
  funds: `select i.run_id, i.player_id, i.version_id, i.step, f.at, f.base_amount as amount, f.intent_id as reference
            from intent i join funds f on f.player_id = i.player_id and f.intent_id = i.intent_id::text and f.counted`,
};

function bonusRows(amount: string, at: string, where: string): string {
  return `select i.run_id, i.player_id, i.version_id, i.step, ${at} as at, ${amount} as amount, b.user_bonus_id as reference
            from intent i join bonus_intent_grant g on g.intent_id = i.intent_id
            join bonus b on b.player_id = g.player_id and b.user_bonus_id = g.user_bonus_id and b.granted
           where ${where}`;
}

/** The players behind an amount, newest run first. */
export async function listAmounts(
  pool: Pool,
  campaignId: number,
  { of, version_id, step, split, variant, window }: AmountFilter,
  { before, limit }: { before?: AmountPlace | undefined; limit: number },
): Promise<AmountRow[]> {
  const values: unknown[] = [campaignId];
  const given = (value: unknown) => `$${values.push(value)}`;
  let rows: string;
  if (of === 'measured' || of === 'depositors') {
    values.push(window.zone, window.days, window.today);
    rows = `${measuredPlayers(window, await mayHaveMoved(pool, campaignId))}, listed as (
      select d.run_id, d.player_id, d.version_id, null::text as step, r.entered_at as at, d.deposits as amount, null::text as reference
        from done d join campaign_run r using (run_id)
       where d.split is not distinct from ${given(split ?? null)}::text and d.variant = ${given(variant ?? null)}::text
         ${of === 'depositors' ? 'and d.deposits > 0' : ''})`;
  } else rows = `${orderedIntents}, listed as (${costRows[of]})`;
  const [run, key] = before ?? [null, null];
  const [version, ofStep, beforeRun, beforeKey] = [version_id ?? null, step ?? null, run, key].map(given);
  const { rows: found } = await pool.query<AmountRow>(
    `${rows}, keyed as (select l.*, coalesce(l.step, '') || ' ' || coalesce(l.reference, '') as key from listed l)
     select k.run_id, case when p.erased_at is null then p.user_id end as user_id, k.step, k.at, trim_scale(k.amount)::text as amount,
            k.reference, k.key
       from keyed k join player p on p.player_id = k.player_id
      where (${version}::int is null or k.version_id = ${version}) and (${ofStep}::text is null or k.step = ${ofStep})
        and (${beforeRun}::bigint is null or (k.run_id, k.key) < (${beforeRun}, ${beforeKey}::text))
      order by k.run_id desc, k.key desc limit ${given(limit)}`,
    values,
  );
  return found;
}

/**
 * The amount that was credited on each day, in base currency. It is the amount that the operator granted, or the credited funds. If the
 * operator reported no amount, it is the value of the bonus in a budget. If none of these exists, the cost is unknown.
 *
 * @param values by bonus_code (readBonusValues)
 */
export async function readCreditCosts(
  pool: Pool,
  campaignId: number,
  { zone, from, to, values }: { zone: string; from: string; to: string; values: ReadonlyMap<string, DecimalText> },
): Promise<Map<string, { cost: DecimalText; unknown: number }>> {
  const { rows } = await pool.query<{ day: string; cost: DecimalText; unknown: number }>(
    `${orderedIntents}, credited as (
       select (i.state_since at time zone $2)::date as day,
              coalesce(b.amount, f.base_amount, case when i.kind = 'bonus' then ($5::jsonb ->> i.bonus_code)::numeric end) as cost
         from intent o join bonus_intent i using (intent_id)
         left join lateral (select sum(b.base_amount) as amount from bonus_intent_grant g
                              join bonus b on b.player_id = g.player_id and b.user_bonus_id = g.user_bonus_id and b.granted
                             where g.intent_id = o.intent_id) b on true
         left join funds f on f.player_id = o.player_id and f.intent_id = o.intent_id::text and f.counted
        where i.state = 'credited'
     )
     select to_char(day, 'YYYY-MM-DD') as day, trim_scale(coalesce(sum(cost), 0))::text as cost,
            (count(*) filter (where cost is null))::int as unknown
       from credited where day between $3::date and $4::date group by credited.day`,
    [campaignId, zone, from, to, JSON.stringify(Object.fromEntries(values))],
  );
  return new Map(rows.map(({ day, ...one }) => [day, one]));
}
