import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histories, mostServed } from '../../../testing/actions/resolution/plain.ts';
import { assign, fits, referenceOf } from './assign.ts';

test('the assignment depends only on the sets, not on their order', () => {
  fc.assert(
    fc.property(
      histories(true).chain(({ intents, grants }) =>
        fc.tuple(
          fc.constant({ intents, grants }),
          fc.shuffledSubarray(intents, { minLength: intents.length }),
          fc.shuffledSubarray(grants, { minLength: grants.length }),
        ),
      ),
      ([{ intents, grants }, otherIntents, otherGrants]) => {
        expect(new Map([...assign(otherIntents, otherGrants)].sort())).toEqual(
          new Map([...assign(intents, grants)].sort()),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

test('references decide; each bonus and each match belongs to one intent; every other assignment fits', () => {
  fc.assert(
    fc.property(histories(true), ({ intents, grants }) => {
      const assigned = assign(intents, grants);
      const named = new Set(grants.flatMap((grant) => referenceOf(grant) ?? []));
      const served: string[] = [];
      for (const grant of grants) {
        const own = assigned.get(grant.user_bonus_id);
        const intent = intents.find(({ intent_id }) => intent_id === (referenceOf(grant) ?? own?.intent_id));
        if (referenceOf(grant) !== null) {
          expect(own).toEqual(intent === undefined ? undefined : { intent_id: intent.intent_id, how: 'reference' });
        } else if (own !== undefined && intent !== undefined) {
          expect(own.how).toBe(intent.certainty === 'credited' ? 'explained' : 'match');
          expect(intent.certainty).not.toBe('closed');
          expect(named).not.toContain(own.intent_id);
          expect(fits(intent, grant)).toBe(true);
          served.push(own.intent_id);
        }
      }
      expect(new Set(served).size).toBe(served.length);
    }),
    { numRuns: 2_000 },
  );
});

test('as many credited intents as possible are explained, so that their bonuses prove no other intent', () => {
  fc.assert(
    fc.property(histories(false), ({ intents, grants }) => {
      const assigned = [...assign(intents, grants)];
      const named = new Set(grants.flatMap((grant) => referenceOf(grant) ?? []));
      const credited = intents.filter(({ certainty, intent_id }) => certainty === 'credited' && !named.has(intent_id));
      expect(assigned.filter(([, { how }]) => how === 'explained')).toHaveLength(mostServed(credited, grants));
    }),
    { numRuns: 2_000 },
  );
});

test('the remaining bonuses go to the intents in doubt, oldest first, each to the earliest that fits', () => {
  fc.assert(
    fc.property(histories(true), ({ intents, grants }) => {
      const assigned = assign(intents, grants);
      const matches = new Map([...assigned].filter(([, { how }]) => how !== 'match'));
      const named = new Set(grants.flatMap((grant) => referenceOf(grant) ?? []));
      // Ids are in numerical order, and the first attempts give the age.
      const inDoubt = intents.filter(({ certainty, intent_id }) => certainty === 'in_doubt' && !named.has(intent_id));
      inDoubt.sort(
        (a, b) => (a.first_attempt_at ?? 0) - (b.first_attempt_at ?? 0) || (a.intent_id < b.intent_id ? -1 : 1),
      );
      for (const intent of inDoubt) {
        const left = grants.filter(
          (each) => !matches.has(each.user_bonus_id) && referenceOf(each) === null && fits(intent, each),
        );
        left.sort((a, b) => a.at - b.at || (a.user_bonus_id < b.user_bonus_id ? -1 : 1));
        if (left[0] !== undefined) matches.set(left[0].user_bonus_id, { intent_id: intent.intent_id, how: 'match' });
      }
      expect(new Map([...assigned].sort())).toEqual(new Map([...matches].sort()));
    }),
    { numRuns: 2_000 },
  );
});
