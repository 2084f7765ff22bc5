import type { Part } from './spec.ts';

/** What a fact adds to totals before and after a batch; empty if it adds nothing. */
export interface PartsChange {
  brand_id: number;
  before: readonly Part[];
  after: readonly Part[];
}

/**
 * The parts that were removed and those that were added: the difference of two multisets, because a round may have two
 * bets of the same amount at the same moment. Parts without counts and sums are left out. So a row without counts and sums has no
 * parts.
 */
export function partsChanged({ before, after }: PartsChange): { gone: Part[]; come: Part[] } {
  const come = after.filter(hasContent);
  if (before.length === 0) return { gone: [], come };
  const gone: Part[] = [];
  for (const part of before) {
    if (!hasContent(part)) continue;
    const same = come.findIndex((other) => isEqual(part, other));
    if (same === -1) gone.push(part);
    else come.splice(same, 1);
  }
  return { gone, come };
}

function hasContent({ counts, sums }: Part): boolean {
  for (const column in counts) if (counts[column] !== 0) return true;
  for (const column in sums) if (sums[column] !== '0') return true;
  return false;
}

function isEqual(a: Part, b: Part): boolean {
  return (
    a.at === b.at &&
    a.day === b.day &&
    a.player_id === b.player_id &&
    sameRecord(a.counts, b.counts) &&
    sameRecord(a.sums, b.sums) &&
    sameRecord(a.biggest, b.biggest) &&
    sameRecord(a.by, b.by) &&
    (a.dated ?? []).join() === (b.dated ?? []).join()
  );
}

type Columns<T> = Readonly<Record<string, T>> | undefined;

function sameRecord<T>(a: Columns<T>, b: Columns<T>): boolean {
  if (a === undefined || b === undefined) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
