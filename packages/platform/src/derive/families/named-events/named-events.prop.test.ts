import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { custom } from './kinds.ts';
import { arrivalOf, countsOf, distinct, type NamedCount, repeatsAmong } from './named-event.ts';

const users = ['a', 'b'];

const body = fc.record({
  user_id: fc.constantFrom(...users),
  origin: fc.constant('x'),
  notification_type: fc.constantFrom('wheel', 'level_up'),
  timestamp: fc.integer({ min: 0, max: 3 }).map((second) => `2026-05-01T10:00:0${second}Z`),
  data: fc.constantFrom({}, { prize: 'spins' }, { prize: 'spins', n: 1 }),
});
type Body = typeof body extends fc.Arbitrary<infer B> ? B : never;

test('P3: any order, repetition and batching of the same events counts each of them once', () => {
  fc.assert(
    fc.property(
      fc.array(body, { minLength: 1, maxLength: 20 }).chain((all) => fc.tuple(fc.constant(all), arrivalsOf(all))),
      ([bodies, batches]) => {
        const held = new Set<string>();
        const counts: NamedCount[] = [];
        let repeats = 0;
        for (const batch of batches) {
          const { fresh, verdicts } = apply(held, batch);
          counts.push(...countsOf(fresh));
          repeats += verdicts.size;
        }
        const different = [...new Map(bodies.map((each) => [JSON.stringify(each), each])).values()];
        expect(held.size).toBe(different.length);
        expect(repeats).toBe(batches.flat().length - different.length);
        expect(summed(counts)).toEqual(plainCounts(different));
      },
    ),
    { numRuns: 1_500 },
  );
});

/** A set replaces the table. */
function apply(held: Set<string>, bodies: readonly Body[]) {
  const arrivals = bodies.map((each) =>
    arrivalOf(custom, derivedEvent('custom', { ...each }, { player_id: users.indexOf(each.user_id) })),
  );
  const fresh = distinct(arrivals).filter(({ fingerprint }) => !held.has(fingerprint));
  for (const { fingerprint } of fresh) held.add(fingerprint);
  return { fresh, verdicts: repeatsAmong(arrivals, new Set(fresh.map(({ fingerprint }) => fingerprint))) };
}

function summed(counts: readonly NamedCount[]): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const { player_id, name: type, event_count, first_at, last_at } of counts) {
    const name = `${users[player_id]} ${type}`;
    const [count = 0, first = first_at, last = last_at] = sums.get(name) ?? [];
    sums.set(name, [count + event_count, Math.min(first, first_at), Math.max(last, last_at)]);
  }
  return sums;
}

function plainCounts(bodies: readonly Body[]): Map<string, number[]> {
  const groups = Map.groupBy(bodies, ({ user_id, notification_type }) => `${user_id} ${notification_type}`);
  return new Map(
    [...groups].map(([name, own]) => {
      const times = own.map(({ timestamp }) => Date.parse(timestamp) * 1000).sort((a, b) => a - b);
      return [name, [own.length, times[0] ?? 0, times.at(-1) ?? 0]];
    }),
  );
}
