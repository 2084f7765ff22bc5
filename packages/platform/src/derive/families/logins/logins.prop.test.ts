import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import { deltasOf } from '../../totals/deltas.ts';
import { logins } from './index.ts';
import { type Login, partsOf } from './login.ts';

/*
 * Order independence of logins and logouts: random histories of few players and moments, with and without staff
 * impersonation, shuffled, repeated and split, are compared with a plain reading of all bodies at once. A failure
 * prints its seed.
 */

const brand_id = 7;
const users = ['a', 'b'];
const settings = testSettings({ time_zone: 'Europe/Malta' });

interface LoginBody {
  user_id: string;
  action: 'login' | 'logout';
  timestamp: string;
  is_impersonated?: boolean;
  origin?: string;
}

const body: fc.Arbitrary<LoginBody> = fc.record(
  {
    user_id: fc.constantFrom(...users),
    action: fc.constantFrom('login' as const, 'login' as const, 'logout' as const),
    // Around midnight in Malta.
    timestamp: fc
      .integer({ min: 0, max: 4 })
      .map((step) => new Date(Date.UTC(2026, 3, 29, 21) + step * 1_800_000).toISOString()),
    is_impersonated: fc.boolean(),
    origin: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: ['user_id', 'action', 'timestamp'] },
);

const history = fc.array(body, { minLength: 1, maxLength: 25 });

/** The counts of each player, by 'player column' and 'player day column'. */
type Counts = Map<string, number>;

test('P2, P3: any order, repetition and batching of the same events gives the same logins and totals', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const held = new Map<string, Login>();
        const counts: Counts = new Map();
        for (const batch of batches) apply(held, batch, counts);
        const plain = plainLogins(bodies);
        expect([...held.values()].map(present).sort()).toEqual(plain.logins.sort());
        for (const [name, count] of counts) if (count === 0) counts.delete(name);
        expect(counts).toEqual(plain.counts);
        expect(apply(held, bodies, new Map())).toBe(0);
      },
    ),
    { numRuns: 1_500 },
  );
});

/** @returns the number of logins that changed */
function apply(held: Map<string, Login>, bodies: readonly LoginBody[], counts: Counts): number {
  const events = bodies.map(({ action, ...fields }) => {
    const player_id = users.indexOf(fields.user_id);
    return derivedEvent(action, { ...fields }, { player_id, brand_id, settings });
  });
  const { changes } = applyTo(logins, held, events);
  const parts = changes.map(({ before, after }) => ({ brand_id, before: partsOf(before), after: partsOf(after) }));
  const deltas = deltasOf(parts, 0);
  for (const { player_id, period, counts: of } of [...deltas.total, ...deltas.day]) {
    for (const [column, by] of of) {
      const name = [player_id, ...(period === null ? [] : [period]), column].join(' ');
      counts.set(name, (counts.get(name) ?? 0) + by);
    }
  }
  return changes.length;
}

function plainLogins(bodies: readonly LoginBody[]): { logins: string[]; counts: Counts } {
  const prints = bodies.map(({ action, ...fields }) => ({
    action,
    fields,
    print: fingerprint(brand_id, action, fields),
  }));
  const logins: string[] = [];
  const counts: Counts = new Map();
  const keyOf = ({ action, fields }: (typeof prints)[number]) => `${fields.user_id} ${action} ${fields.timestamp}`;
  for (const rivals of Map.groupBy(prints, keyOf).values()) {
    const [inForce] = rivals.sort((a, b) => (a.print < b.print ? -1 : 1));
    if (inForce === undefined) continue;
    const { action, fields, print } = inForce;
    const counted = action === 'logout' || fields.is_impersonated !== true;
    const player = users.indexOf(fields.user_id);
    logins.push([player, action, Date.parse(fields.timestamp) * 1000, print, counted, fields.origin ?? null].join(' '));
    if (!counted) continue;
    // Malta is two hours ahead of UTC in April.
    const day = new Date(Date.parse(fields.timestamp) + 7_200_000).toISOString().slice(0, 10);
    for (const name of [`${player} ${action}_count`, `${player} ${day} ${action}_count`]) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return { logins, counts };
}

function present({ player_id, action, at, fingerprint: print, counted, origin }: Login): string {
  return [player_id, action, at, print, counted, origin].join(' ');
}
