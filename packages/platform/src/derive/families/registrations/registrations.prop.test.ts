import { dayOf, fingerprint } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import { registrations } from './index.ts';
import { partsOf, type Registration } from './registration.ts';

const brand_id = 7;
const users = ['a', 'b'];

const body = fc.record(
  {
    user_id: fc.constantFrom(...users),
    timestamp: fc.constantFrom(
      '2026-04-30T01:00:00Z',
      '2026-04-29T10:00:00Z',
      '2026-04-29T10:00:00.000001Z',
      '2026-04-29T11:00:00+02:00',
    ),
    origin: fc.constantFrom('x', 'y'),
    url_referer: fc.constantFrom('https://r', 'https://s'),
  },
  { requiredKeys: ['user_id', 'timestamp'] },
);

test('P2, P3: of any set of registrations, in any order and batching, the earliest is in force, in a tie by fingerprint', () => {
  fc.assert(
    fc.property(
      fc
        .array(body, { minLength: 1, maxLength: 15 })
        .chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const held = new Map<string, Registration>();
        const counts = new Map<string, number>();
        const apply = (batch: typeof bodies) => {
          const of = (user: string) => ({ player_id: users.indexOf(user), brand_id });
          const events = batch.map((own) => derivedEvent('registration', { ...own }, of(own.user_id)));
          const { changes } = applyTo(registrations, held, events);
          for (const { before, after } of changes) {
            for (const { player_id, day } of partsOf(before)) add(counts, `${player_id} ${day}`, -1);
            for (const { player_id, day } of partsOf(after)) add(counts, `${player_id} ${day}`, 1);
          }
          return changes.length;
        };
        for (const batch of batches) apply(batch);
        for (const [player_id, user] of users.entries()) {
          const own = bodies
            .filter(({ user_id }) => user_id === user)
            .map((one) => ({ ...one, print: fingerprint(brand_id, 'registration', one) }))
            .sort((a, b) => microsOf(a.timestamp) - microsOf(b.timestamp) || (a.print < b.print ? -1 : 1));
          const [first] = own;
          expect(held.get(String(player_id))).toEqual(
            first && {
              player_id,
              at: microsOf(first.timestamp),
              day: dayOf('UTC', microsOf(first.timestamp)),
              fingerprint: first.print,
              origin: first.origin ?? null,
              url_referer: first.url_referer ?? null,
            },
          );
        }
        const days = [...held.values()].map(({ player_id, day }) => [`${player_id} ${day}`, 1]);
        expect(Object.fromEntries([...counts].filter(([, count]) => count !== 0))).toEqual(Object.fromEntries(days));
        expect(apply(bodies)).toBe(0);
      },
    ),
    { numRuns: 1_500 },
  );
});

function add(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function microsOf(timestamp: string): number {
  return Date.parse(timestamp) * 1000 + (timestamp.includes('.000001') ? 1 : 0);
}
