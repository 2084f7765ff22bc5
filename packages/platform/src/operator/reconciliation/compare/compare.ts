import type { Micros } from '@croupier/contracts';
import type { FieldSubject } from '../fields.ts';

/*
 * What one player's entry in a list, or its absence, does to the stored facts: a table (docs/reference/decisions.md 4). A list
 * tightens immediately (blocks, excludes, withdraws) and never loosens. If it says less than the platform has stored, a look-up
 * decides. Facts that became known after the time of the result are not compared.
 *
 *                      listed, but not stored            not listed, but stored
 *     blocked,
 *     excluded         tightened                         look_up
 *     consent          look_up                           tightened
 *     active           reported                          reported
 *
 *     any of them, if the stored fact is newer than the result: newer
 */
export const verdicts = ['agrees', 'tightened', 'look_up', 'reported', 'newer'] as const;
export type Verdict = (typeof verdicts)[number];

/** What the platform has stored about one player and the field. */
export interface Fact {
  /** The stored value; null if unknown. */
  we_say: boolean | null;
  /** When the youngest source of the value was established; null if there is none. */
  since: Micros | null;
  /** True for a change that was made in the platform and that the operator has not confirmed. No list can contain it. */
  unconfirmed?: boolean;
}

/** @param as_of the time of the result (result-time.ts) */
export function compareFact(about: FieldSubject['about'], fact: Fact, listed: boolean, as_of: Micros): Verdict {
  if (!differs(about, fact, listed)) return 'agrees';
  if (fact.unconfirmed || (fact.since !== null && fact.since > as_of)) return 'newer';
  if (about === 'active') return 'reported';
  return (about === 'block') === listed ? 'tightened' : 'look_up';
}

/**
 * An unknown value counts as not given and not in force; an unknown `active` is not compared. Only a list that says more adds
 * information.
 */
function differs(about: FieldSubject['about'], { we_say }: Fact, listed: boolean): boolean {
  if (we_say === null) return about !== 'active' && listed;
  return we_say !== listed;
}
