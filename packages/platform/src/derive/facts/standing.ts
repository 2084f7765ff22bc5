import type { Verdict } from '../verdict.ts';
import type { Decided } from './decide.ts';

/**
 * `FactRules.decide` of a fact that is what ONE event of its key says: the one that stands. One comparison tells which of two
 * stands, so the result is a function of the set of events.
 */
export function standing<Fact>(rules: {
  stands(a: Fact, b: Fact): boolean;
  /** How an event met what stood when it came. */
  meet(fact: Fact, held: Fact): Verdict;
}): (before: Fact | undefined, said: readonly Fact[]) => Decided<Fact> {
  return (before, said) => {
    let now = before;
    const verdicts = said.map((fact) => {
      const verdict = now === undefined ? 'applied' : rules.meet(fact, now);
      if (now === undefined || rules.stands(fact, now)) now = fact;
      return verdict;
    });
    return { after: now === before ? undefined : now, verdicts };
  };
}
