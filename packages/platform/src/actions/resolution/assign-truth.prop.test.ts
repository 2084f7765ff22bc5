import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssignedIntent, assign, type Certainty, type Grant } from './assign.ts';

/*
 * Compares the assignment with what the operator did. A player never counts as credited with more bonuses than the operator
 * gave. This holds whichever calls were answered and whichever credits the operator reported, with or without a reference.
 */

/** How the calls of an intent ended, and whether the operator credited it. */
const fates = [
  { called: 'answered 200', certainty: 'credited', given: true },
  { called: 'under way', certainty: 'credited', given: true },
  { called: 'under way', certainty: 'credited', given: false },
  { called: 'unknown', certainty: 'in_doubt', given: true },
  { called: 'unknown', certainty: 'in_doubt', given: false },
  { called: 'answered 400', certainty: 'closed', given: false },
] as const satisfies { called: string; certainty: Certainty; given: boolean }[];

const minute = 60_000_000;
const day = 24 * 60 * minute;
const ordered = fc.record({
  fate: fc.constantFrom(...fates),
  first: fc.constantFrom(0, 1, 2, 700, 1_400, 1_500).map((minutes) => minutes * minute),
  lasts: fc.constantFrom(0, 1, 30, 800).map((minutes) => minutes * minute),
  /** When the operator reports the credit: a point between the first call and the longest time after the last. */
  toldAt: fc.double({ min: 0, max: 1, noNaN: true }),
  told: fc.constantFrom('with its reference', 'without', 'not at all'),
});
type Ordered = typeof ordered extends fc.Arbitrary<infer T> ? T : never;

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function intentOf({ fate, first, lasts }: Ordered, n: number): AssignedIntent {
  return {
    intent_id: idOf(n),
    certainty: fate.certainty,
    first_attempt_at: first,
    last_attempt_at: first + lasts,
    activity_id: null,
    action_id: null,
    action_group_id: null,
    trigger_hash: null,
  };
}

function grantOf({ fate, first, lasts, told, toldAt }: Ordered, n: number): Grant[] {
  if (!fate.given || told === 'not at all') return [];
  const references = told === 'without' ? null : { id: idOf(n) };
  return [{ user_bonus_id: String(n), references, status: 'Created', at: first + Math.floor(toldAt * (lasts + day)) }];
}

test('the number of intents that count as credited never exceeds the number that the operator credited', () => {
  fc.assert(
    fc.property(fc.array(ordered, { maxLength: 8 }), (orders) => {
      const assigned = [...assign(orders.map(intentOf), orders.flatMap(grantOf)).values()];
      const proven = new Set(assigned.filter(({ how }) => how !== 'explained').map(({ intent_id }) => intent_id));
      const called = orders.filter(({ fate }, n) => fate.called === 'answered 200' || proven.has(idOf(n)));
      const given = orders.filter(({ fate }) => fate.given);
      expect(called.length).toBeLessThanOrEqual(given.length);
    }),
    { numRuns: 5_000 },
  );
});
