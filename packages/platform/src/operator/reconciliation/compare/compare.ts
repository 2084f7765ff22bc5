import type { Micros } from '@croupier/contracts';
import type { FieldSubject } from '../fields.ts';

/*
 * What one player's entry in a list, or its absence, does to what we hold: a table (docs/reference/decisions.md 4). A list tightens at once
 * (block, exclude, withdraw) and never loosens; where it says less than we do, a look-up decides. What became known after the
 * result's moment is not compared.
 *
 *                      listed, we do not say so          not listed, we say so
 *     blocked,
 *     excluded         tightened                         look_up
 *     consent          look_up                           tightened
 *     active           reported                          reported
 *
 *     any of them, and what we say is younger than the result: newer
 */
export const verdicts = ['agrees', 'tightened', 'look_up', 'reported', 'newer'] as const;
export type Verdict = (typeof verdicts)[number];

/** What we hold of one player about the field. */
export interface Fact {
  /** null: unknown. */
  we_say: boolean | null;
  /** When the youngest of what says so was established; null: never heard. */
  since: Micros | null;
  /** It is a change of ours that the operator's books have not confirmed: no list can know of it. */
  unconfirmed?: boolean;
}

/** @param as_of the result's moment (result-time.ts). */
export function compareFact(about: FieldSubject['about'], fact: Fact, listed: boolean, as_of: Micros): Verdict {
  if (!differs(about, fact, listed)) return 'agrees';
  if (fact.unconfirmed || (fact.since !== null && fact.since > as_of)) return 'newer';
  if (about === 'active') return 'reported';
  return (about === 'block') === listed ? 'tightened' : 'look_up';
}

/** Unknown is not given, not in force and, of `active`, nothing to compare; only a list that says more tells anything new. */
function differs(about: FieldSubject['about'], { we_say }: Fact, listed: boolean): boolean {
  if (we_say === null) return about !== 'active' && listed;
  return we_say !== listed;
}
