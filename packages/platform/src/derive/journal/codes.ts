import { type EventKind, type Flag, flags } from '@croupier/contracts';
import { kindOfCode } from '../../ledger/index.ts';
import type { Verdict } from '../verdict.ts';

/*
 * Codes of the journal's narrow columns. Stored rows contain them, so add codes, but never change one. The codes of
 * kinds are those of the ledger.
 */

/** The verdicts above `repeat` are those that people look for. The index journal_noted relies on this order. */
export const verdictCodes: Record<Verdict, number> = {
  applied: 1,
  repeat: 2,
  conflict: 3,
  orphan: 4,
  too_old: 5,
  parked: 6,
  unreadable: 7,
};

const verdicts = new Map(Object.entries(verdictCodes).map(([verdict, code]) => [code, verdict as Verdict]));

export function kindOf(code: number): EventKind {
  const kind = kindOfCode(code);
  if (kind === undefined) throw new RangeError(`${code} is not the code of a kind of event`);
  return kind;
}

export function verdictOf(code: number): Verdict {
  const verdict = verdicts.get(code);
  if (verdict === undefined) throw new RangeError(`${code} is not the code of a verdict`);
  return verdict;
}

const bits = new Map<Flag, number>(flags.map((flag, bit) => [flag, 1 << bit]));

export function flagBits(set: readonly Flag[]): number {
  let sum = 0;
  for (const flag of set) sum |= bits.get(flag) ?? 0;
  return sum;
}

export function flagsOf(sum: number): Flag[] {
  return flags.filter((_, bit) => (sum & (1 << bit)) !== 0);
}
