import { allSteps } from '@croupier/campaigns';
import { dayOf, type Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { readVersions, type StoredVersion } from '../documents/store.ts';
import { compare, type Difference, type GroupSize, isGroupOff, type Sample, sampleRatio } from './comparison.ts';
import {
  type ArmMeasures,
  countControlGroup,
  hasHoldout,
  holdoutArm,
  type Measure,
  measureArms,
  measures,
  reachedArm,
  readBonusCost,
} from './measures.ts';
import { mayHaveMoved } from './moved-runs.ts';
import {
  type ArmPlayers,
  countArmPlayers,
  countOutcomes,
  type Outcome,
  type OutcomeCount,
  outcomes,
} from './outcomes.ts';

export type Counts = Record<Outcome, number>;

/** A measure of an arm: the exact sum in the base currency, the mean per player, and the difference from the control arm. */
export interface MeasuredSum {
  sum: string;
  mean: number | null;
  /** Null for the control arm itself, and if either arm has too few players. */
  against_control: Difference | null;
}

export interface ArmResults {
  name: string;
  control: boolean;
  /** Percentage of the split; null for the brand's control group. */
  share: number | null;
  /** Players who reached the arm. */
  players: number;
  counts: Counts;
  measured: { players: number; depositors: number; sums: Record<Measure, MeasuredSum> };
}

export interface SplitResults {
  version: number;
  /** Null: the brand's control group against all other players. */
  step: string | null;
  /** True if the arms do not match their shares, so that their comparison is not valid. */
  sample_ratio_mismatch: boolean;
  arms: ArmResults[];
}

export interface ReasonCount {
  reason: string;
  count: number;
}

export interface CampaignResults {
  totals: Counts;
  versions: (Counts & { version: number })[];
  /** The outcomes of the effects of each step. */
  effects: (Counts & { version: number; step: string })[];
  withheld_by: ReasonCount[];
  /** The reasons why effects failed. Runs that failed are not included. */
  failed_by: ReasonCount[];
  unknown_by: ReasonCount[];
  costs: { version: number; step: string; granted: string; turned_real: string; funds: string }[];
  window_days: number;
  splits: SplitResults[];
}

export const defaultWindowDays = 7;

/** Counts of a campaign, and what the players of its arms did in the days after entry. */
export async function readResults(
  pool: Pool,
  { campaign_id, brand }: { campaign_id: number; brand: Brand },
  { days = defaultWindowDays, at }: { days?: number | undefined; at: Micros },
): Promise<CampaignResults> {
  const zone = brand.settings.time_zone;
  const versions = await readVersions(pool, [campaign_id]);
  // Most campaigns have no arms. For them, counting by arm is skipped, because it would take most of the time.
  const byArm = versions.some((version) => splitsOf(version).length > 0);
  const hasGroup = await hasHoldout(pool, campaign_id);
  const hasMoved = await mayHaveMoved(pool, campaign_id);
  const [counted, players, group, measured, costs] = await Promise.all([
    countOutcomes(pool, campaign_id, { byArm, hasMoved }),
    byArm ? countArmPlayers(pool, campaign_id) : [],
    hasGroup ? countControlGroup(pool, campaign_id) : [],
    byArm || hasGroup ? measureArms(pool, campaign_id, { zone, days, today: dayOf(zone, at) }, hasMoved) : [],
    readBonusCost(pool, campaign_id),
  ]);
  const numberOf = new Map(versions.map(({ version_id, version }) => [version_id, version]));
  const numbered = <Row extends { version_id: number }>({ version_id, ...row }: Row) => ({
    ...row,
    version: numberOf.get(version_id) ?? 0,
  });
  const rows = counted.map(numbered);
  const inOrder = versions.map(({ version }) => version).toSorted((one, other) => other - one);
  return {
    totals: sumOf(rows),
    versions: inOrder.map((version) => ({ version, ...sumOf(rows.filter((row) => row.version === version)) })),
    effects: inOrder.flatMap((version) => {
      const own = rows.filter((row) => row.version === version);
      const steps = [...new Set(own.flatMap(({ step }) => (step === null ? [] : [step])))];
      return steps.map((step) => ({ version, step, ...sumOf(own.filter((row) => row.step === step)) }));
    }),
    withheld_by: byReason(rows, 'withheld'),
    failed_by: byReason(rows, 'failed'),
    unknown_by: byReason(rows, 'unknown'),
    costs: costs.map(numbered),
    window_days: days,
    splits: splitResults(versions, { counted, players, group, measured }),
  };
}

/** The effects with an outcome, most frequent reason first. */
function byReason(
  rows: readonly Pick<OutcomeCount, 'outcome' | 'step' | 'reason' | 'count'>[],
  wanted: Outcome,
): ReasonCount[] {
  const counts = new Map<string, number>();
  for (const { outcome, step, reason, count } of rows)
    if (outcome === wanted && step !== null) counts.set(reason ?? wanted, (counts.get(reason ?? wanted) ?? 0) + count);
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((one, other) => other.count - one.count);
}

function sumOf(rows: readonly { outcome: Outcome; count: number }[]): Counts {
  const counts = Object.fromEntries(outcomes.map((one) => [one, 0])) as Counts;
  for (const { outcome, count } of rows) counts[outcome] += count;
  return counts;
}

interface Counted {
  counted: readonly OutcomeCount[];
  players: readonly ArmPlayers[];
  group: readonly (GroupSize & { version_id: number })[];
  measured: readonly ArmMeasures[];
}

function splitResults(
  versions: readonly StoredVersion[],
  { counted, players, group, measured }: Counted,
): SplitResults[] {
  return versions.flatMap((one) => {
    const { version_id, version } = one;
    const ofVersion = <Row extends { version_id: number }>(rows: readonly Row[]) =>
      rows.filter((row) => row.version_id === version_id);
    const found = splitsOf(one).map(({ id, split }) => {
      const own = counted.flatMap(({ arms, drawn, outcome, count, ...row }) => {
        const variant = arms?.[id];
        return variant === undefined || (drawn?.[id] ?? row.version_id) !== version_id
          ? []
          : [{ variant, outcome, count }];
      });
      const reached = ofVersion(players).filter((row) => row.split === id);
      const figures = ofVersion(measured).filter((row) => row.split === id);
      return oneSplit(version, id, split, { own, reached, figures });
    });
    const holdout = ofVersion(measured).filter((row) => row.split === null);
    if (holdout.length === 0) return found;
    const arms = [
      { name: reachedArm, share: null },
      { name: holdoutArm, share: null, control: true },
    ];
    const compared = oneSplit(version, null, arms, { own: [], reached: [], figures: holdout });
    return [...found, { ...compared, sample_ratio_mismatch: isGroupOff(ofVersion(group)) }];
  });
}

type Arm = { name: string; share: number | null; control?: boolean };

/** Returns no splits for a draft, because no player enters it and its document may have errors. */
function splitsOf({ state, document }: StoredVersion) {
  if (state === 'draft') return [];
  return allSteps(document.steps).flatMap((step) =>
    'split' in step ? [{ id: step.id, split: step.split as Arm[] }] : [],
  );
}

function oneSplit(
  version: number,
  step: string | null,
  split: readonly Arm[],
  {
    own,
    reached,
    figures,
  }: {
    own: readonly { variant: string; outcome: Outcome; count: number }[];
    reached: readonly ArmPlayers[];
    figures: readonly ArmMeasures[];
  },
): SplitResults {
  const figureOf = (name: string) => figures.find(({ variant }) => variant === name);
  const control = split.find((arm) => arm.control === true);
  const arms = split.map(({ name, share, control: isControl = false }): ArmResults => {
    const rows = own.filter(({ variant }) => variant === name);
    const figure = figureOf(name);
    return {
      name,
      control: isControl,
      share,
      players: reached.find(({ variant }) => variant === name)?.players ?? figure?.players ?? 0,
      counts: sumOf(rows),
      measured: {
        players: figure?.players ?? 0,
        depositors: figure?.depositors ?? 0,
        sums: Object.fromEntries(
          measures.map((measure) => [
            measure,
            measuredSum(measure, figure, isControl || control === undefined ? undefined : figureOf(control.name)),
          ]),
        ) as Record<Measure, MeasuredSum>,
      },
    };
  });
  const sized = arms.flatMap(({ name, share }) =>
    share === null ? [] : [{ share, players: reached.find(({ variant }) => variant === name)?.players ?? 0 }],
  );
  return { version, step, sample_ratio_mismatch: sampleRatio(sized).mismatch, arms };
}

function measuredSum(measure: Measure, arm: ArmMeasures | undefined, control: ArmMeasures | undefined): MeasuredSum {
  if (arm === undefined) return { sum: '0', mean: null, against_control: null };
  const { sum } = arm.totals[measure];
  return {
    sum,
    mean: Number(sum) / arm.players,
    against_control: control === undefined ? null : compare(sampleOf(arm, measure), sampleOf(control, measure)),
  };
}

function sampleOf({ players, totals }: ArmMeasures, measure: Measure): Sample {
  const { sum, sum_of_squares } = totals[measure];
  return { players, sum: Number(sum), sum_of_squares };
}
