import type { Micros } from '@croupier/contracts';
import type { ContactRequest, HeldReason, RulesOfContact, RulingReason, WithheldReason } from '../request.ts';
import type { Verdict } from './decide.ts';
import type { Judged } from './decide-all.ts';

/** A verdict of the gate after the rules of contact were applied. */
export type RuledVerdict = Pick<Verdict, 'inputs' | 'freshness' | 'as_of' | 'wanting'> & {
  /** What the rules of contact were based on; null if they were not applied. */
  contact: Readonly<Record<string, unknown>> | null;
  /** The time from which no rule of contact holds the contact any more; null if none holds it. */
  until: Micros | null;
} & (
    | { outcome: 'allowed'; reason: null }
    | { outcome: 'withheld'; reason: WithheldReason | RulingReason }
    | { outcome: 'held'; reason: HeldReason | RulingReason }
  );

/**
 * Applies the rules of contact. They can only refuse what the gate allows; what it withholds does not change. What it holds changes only if
 * the address is suppressed: nothing that the gate waits for would make the address usable. Pure.
 */
export function applyRulesOfContact(
  judged: readonly Judged<ContactRequest>[],
  rules: RulesOfContact | undefined,
): (Omit<Judged<ContactRequest>, 'verdict'> & { verdict: RuledVerdict })[] {
  const rulings = rules?.(judged.map(({ verdict }) => verdict.outcome)) ?? [];
  return judged.map((one, place) => {
    const ruling = rulings[place] ?? null;
    const verdict: RuledVerdict = { ...one.verdict, contact: null, until: null };
    if (ruling === null || verdict.outcome === 'withheld') return { ...one, verdict };
    const isSuppressed = ruling.outcome === 'withheld' && ruling.reason === 'suppressed';
    if (verdict.outcome === 'held' && !isSuppressed) return { ...one, verdict };
    const { inputs: contact, outcome } = ruling;
    if (outcome === 'allowed') return { ...one, verdict: { ...verdict, contact } };
    const { reason } = ruling;
    if (outcome === 'withheld') return { ...one, verdict: { ...verdict, contact, outcome, reason } };
    return { ...one, verdict: { ...verdict, contact, outcome, reason, until: ruling.until } };
  });
}
