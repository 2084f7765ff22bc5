import type { Verdict } from '../verdict.ts';
import type { Decided } from './decide.ts';

/**
 * Makes `FactRules.decide` for facts that consist of ALL events of their key. A fact keeps the events that its rules
 * need.
 */
export function ofEvents<Fact, Event, Said extends { event: Event }>(rules: {
  eventsOf(fact: Fact): readonly Event[];
  /** Compares an event with the events that the fact already has. */
  classify(events: readonly Event[], event: Event): 'new' | 'repeat' | 'conflict';
  /** Returns the same array if the event changes nothing. */
  add(events: readonly Event[], event: Event): readonly Event[];
  /** @param events at least one */
  factOf(said: Said, events: readonly Event[], timeZone: string): Fact;
  /** The number of the fact's events that still wait for their counterpart. Omit it if none ever does. */
  orphansOf?(fact: Fact): number;
}): (before: Fact | undefined, said: readonly Said[], timeZone: string) => Decided<Fact> {
  const { eventsOf, classify, add, factOf, orphansOf = () => 0 } = rules;
  return (before, said, timeZone) => {
    const known = before === undefined ? [] : eventsOf(before);
    let events = known;
    const outcome = said.map(({ event }) => {
      const how = classify(events, event);
      events = add(events, event);
      return how;
    });
    const [first] = said;
    const after = first === undefined || events === known ? undefined : factOf(first, events, timeZone);
    const isOrphan = after !== undefined && orphansOf(after) > 0;
    const verdicts = outcome.map((how): Verdict => (how !== 'new' ? how : isOrphan ? 'orphan' : 'applied'));
    const wasOrphan = before === undefined || after === undefined || isOrphan ? 0 : orphansOf(before);
    return { after, verdicts, found: wasOrphan };
  };
}
