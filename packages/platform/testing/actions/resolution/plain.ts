import fc from 'fast-check';
import {
  type AssignedIntent,
  type Certainty,
  fits,
  type Grant,
  referenceOf,
} from '../../../src/actions/resolution/assign.ts';

/**
 * Intents and bonuses of one player and bonus_code, for tests. There are few different times, so that windows overlap in every
 * way.
 */

const hour = 3_600_000_000;
/** Ids in numerical order. */
export const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;

const intent = fc.record({
  certainty: fc.constantFrom<Certainty>('credited', 'in_doubt', 'in_doubt', 'closed'),
  first: fc.integer({ min: 0, max: 8 }),
  /** Duration of the repeats, in hours. */
  lasted: fc.constantFrom(0, 0, 5, 40),
  activity_id: fc.constantFrom('spring', 'autumn', null),
});

const grant = fc.record({
  at: fc.integer({ min: -1, max: 20 }),
  status: fc.constantFrom('Created', 'Created', 'Pending', 'Expired', 'REVERSED'),
  reference: fc.constantFrom(undefined, undefined, undefined, 1, 2, 9),
});

export interface History {
  intents: AssignedIntent[];
  grants: Grant[];
}

/** @param partial whether bonuses may name an activity without naming an intent */
export function histories(partial: boolean): fc.Arbitrary<History> {
  const activity = partial ? fc.constantFrom(undefined, undefined, 'spring', 'autumn') : fc.constant(undefined);
  return fc
    .record({
      intents: fc.array(intent, { maxLength: 5 }),
      grants: fc.array(fc.tuple(grant, activity), { maxLength: 6 }),
    })
    .map(({ intents, grants }) => ({
      intents: intents.map(({ first, lasted, ...rest }, number) => ({
        intent_id: idOf(number),
        action_id: null,
        action_group_id: null,
        trigger_hash: null,
        ...rest,
        first_attempt_at: first * 3 * hour,
        last_attempt_at: (first * 3 + lasted) * hour,
      })),
      grants: grants.map(([{ at, status, reference }, activity_id], number) => ({
        user_bonus_id: `ub${number}`,
        at: at * 2 * hour,
        status,
        references:
          reference === undefined && activity_id === undefined
            ? null
            : {
                ...(reference !== undefined && { id: idOf(reference).toUpperCase() }),
                ...(activity_id !== undefined && { activity_id }),
              },
      })),
    }));
}

/** The highest number of intents that can each get one of the bonuses. Tries all combinations. */
export function mostServed(intents: readonly AssignedIntent[], grants: readonly Grant[]): number {
  const [first, ...rest] = intents;
  if (first === undefined) return 0;
  const without = mostServed(rest, grants);
  const fitting = grants.filter((each) => referenceOf(each) === null && fits(first, each));
  return fitting.reduce(
    (most, own) =>
      Math.max(
        most,
        1 +
          mostServed(
            rest,
            grants.filter((each) => each !== own),
          ),
      ),
    without,
  );
}
