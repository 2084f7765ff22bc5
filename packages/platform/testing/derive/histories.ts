import type { EventKind } from '@croupier/contracts';
import fc from 'fast-check';
import type { DerivedEvent } from '../../src/derive/event.ts';
import { type Decision, decideFacts, type FactRules, readArrivals } from '../../src/derive/facts/index.ts';
import { maxVersions } from '../../src/derive/versions.ts';

/*
 * For property tests: a history reaches derive in any order, with repeats, in batches of any size. The result of a derivation
 * must be the same in all cases (docs/reference/design.md 2.3).
 */

/** Bodies in any order, some of them several times, split into batches. */
export function arrivalsOf<T>(bodies: readonly T[]): fc.Arbitrary<T[][]> {
  return fc
    .tuple(fc.shuffledSubarray([...bodies], { minLength: bodies.length }), fc.shuffledSubarray([...bodies]), fc.nat())
    .chain(([once, again, at]) => {
      const place = at % (once.length + 1);
      const all = [...once.slice(0, place), ...again, ...once.slice(place)];
      return fc
        .array(fc.integer({ min: 1, max: 10 }), { minLength: all.length, maxLength: all.length })
        .map((sizes) => cut(all, sizes));
    });
}

/** All of them in order, in batches of the given sizes; the last batches may be smaller. */
export function cut<T>(all: readonly T[], sizes: readonly number[]): T[][] {
  const batches: T[][] = [];
  for (let from = 0, i = 0; from < all.length; i++) {
    const size = sizes[i] ?? 1;
    batches.push(all.slice(from, from + size));
    from += size;
  }
  return batches;
}

/**
 * In one history of four, one key gets more events than versions.ts keeps, all with different money, so that some batch drops
 * the last ones. Generates the position of the contradicted event, and the difference of each event.
 *
 * @param fields what may differ besides the amount
 */
export function floodOf<F extends object>(fields: fc.Arbitrary<F>): fc.Arbitrary<Flood<F>> {
  const others = fc.array(fields, { minLength: maxVersions + 1, maxLength: maxVersions + 6 });
  const flood = fc.record({ of: fc.nat(), others }).map(({ of, others }) => ({
    of,
    others: others.map((other, i) => ({ ...other, amount: 100 + i })),
  }));
  return fc.oneof({ weight: 3, arbitrary: fc.constant({ of: 0, others: [] }) }, { weight: 1, arbitrary: flood });
}

interface Flood<F> {
  of: number;
  others: readonly (F & { amount: number })[];
}

/** Applies a batch to facts in memory, as `factFamily` does to those in a table. */
export function applyTo<Kind extends EventKind, Fact, Key extends keyof Fact, Said extends Pick<Fact, Key>>(
  rules: FactRules<Kind, Fact, Key, Said>,
  held: Map<string, Fact>,
  events: readonly DerivedEvent<Kind>[],
): Decision<Fact> {
  const decision = decideFacts(rules, held, readArrivals(rules, events));
  for (const { after } of decision.changes) held.set(rules.table.keyOf(after), after);
  return decision;
}
