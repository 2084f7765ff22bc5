import type { Micros } from '@croupier/contracts';
import type { ContactRequest, HeldReason, RulesOfContact, RulingReason, WithheldReason } from '../request.ts';
import type { Verdict } from './decide.ts';
import type { Judged } from './decide-all.ts';

/** A verdict of the gate, changed by what the rules of contact say. */
export type RuledVerdict = Pick<Verdict, 'inputs' | 'freshness' | 'as_of' | 'wanting'> & {
  /** What the rules of contact rested on; null: they were not asked. */
  contact: Readonly<Record<string, unknown>> | null;
  /** When a rule of contact stops holding it; null: none does. */
  until: Micros | null;
} & (
    | { outcome: 'allowed'; reason: null }
    | { outcome: 'withheld'; reason: WithheldReason | RulingReason }
    | { outcome: 'held'; reason: HeldReason | RulingReason }
  );

/** The rules of contact only ever say no to what the gate allows: what it withholds or holds stays as it is. Pure. */
export function ruled(
  judged: readonly Judged<ContactRequest>[],
  rules: RulesOfContact | undefined,
): (Omit<Judged<ContactRequest>, 'verdict'> & { verdict: RuledVerdict })[] {
  const rulings = rules?.(judged.map(({ verdict }) => verdict.outcome)) ?? [];
  return judged.map((one, place) => {
    const ruling = rulings[place] ?? null;
    const verdict: RuledVerdict = { ...one.verdict, contact: null, until: null };
    if (ruling === null || verdict.outcome !== 'allowed') return { ...one, verdict };
    const { inputs: contact, outcome } = ruling;
    if (outcome === 'allowed') return { ...one, verdict: { ...verdict, contact } };
    const { reason } = ruling;
    if (outcome === 'withheld') return { ...one, verdict: { ...verdict, contact, outcome, reason } };
    return { ...one, verdict: { ...verdict, contact, outcome, reason, until: ruling.until } };
  });
}
