import type { Verdict } from '../verdict.ts';
import type { Decided } from './decide.ts';

/**
 * Makes `FactRules.decide` for facts that consist of ONE event of their key, the event in force. One comparison decides
 * which of two events is in force, so the result is a function of the set of events.
 */
export function ofEventInForce<Fact>(rules: {
  takesPrecedence(a: Fact, b: Fact): boolean;
  /** Returns the verdict of an event, given the fact in force when it arrived. */
  classify(fact: Fact, held: Fact): Verdict;
}): (before: Fact | undefined, said: readonly Fact[]) => Decided<Fact> {
  return (before, said) => {
    let now = before;
    const verdicts = said.map((fact) => {
      const verdict = now === undefined ? 'applied' : rules.classify(fact, now);
      if (now === undefined || rules.takesPrecedence(fact, now)) now = fact;
      return verdict;
    });
    return { after: now === before ? undefined : now, verdicts };
  };
}
