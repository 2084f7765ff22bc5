import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { campaignStepsQuery } from '../../../api/queries.ts';
import { countedStates, type StepCounts } from '../draft/editing.ts';

/** Returns the counts by step. They include all versions, because runs finish on the version that they entered. */
export function useCounts(brand: string, code: string): ReadonlyMap<string, StepCounts> {
  const { data } = useQuery(campaignStepsQuery(brand, code));
  return useMemo(() => {
    const counts = new Map<string, StepCounts>();
    for (const { step, version: _, ...own } of data?.items ?? []) {
      const before = counts.get(step);
      counts.set(step, before === undefined ? own : sumOf(before, own));
    }
    return counts;
  }, [data]);
}

function sumOf(one: StepCounts, other: StepCounts): StepCounts {
  const sums = Object.fromEntries(countedStates.map((state) => [state, one[state] + other[state]]));
  return {
    ...(sums as Pick<StepCounts, (typeof countedStates)[number]>),
    held_by: merged(one.held_by, other.held_by, ({ reason }) => reason),
    withheld_by: merged(one.withheld_by, other.withheld_by, ({ reason }) => reason),
    arms: merged(one.arms, other.arms, ({ variant }) => variant),
  };
}

function merged<Row extends { count: number }>(
  one: readonly Row[],
  other: readonly Row[],
  of: (row: Row) => string,
): Row[] {
  const rows = new Map<string, Row>();
  for (const row of [...one, ...other]) {
    const count = (rows.get(of(row))?.count ?? 0) + row.count;
    rows.set(of(row), { ...row, count });
  }
  return [...rows.values()];
}
