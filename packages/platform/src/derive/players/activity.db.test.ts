import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { derivedEvent } from '../../../testing/derive/event.ts';
import { arrivalsOf } from '../../../testing/derive/histories.ts';
import { transaction } from '../../database/index.ts';
import { activities } from './activity.ts';
import { readActivity, saveActivities } from './store.ts';

/*
 * The activity of a player consists of the times of the first and last event and the origin of the latest event. A repeated event does
 * not change it, so it is merged without the keys of events. There are two merges: within a batch by `activities`, and with the stored
 * row by the statement that saves it. Each merge has a test, and both tests compare with the same plain recomputation.
 */

const { pool } = await setupDatabase();
const users = ['a', 'b'];

const body = fc.record(
  {
    user_id: fc.constantFrom(...users),
    timestamp: fc
      .integer({ min: 0, max: 3 })
      .map((step) => new Date(Date.UTC(2026, 3, 29) + step * 1000).toISOString()),
    // If several events have the same time, the origin whose bytes sort first is used: upper case before lower case, whatever the
    // collation.
    origin: fc.constantFrom('b', 'B', 'ä', 'a'),
  },
  { requiredKeys: ['user_id', 'timestamp'] },
);
type Body = typeof body extends fc.Arbitrary<infer B> ? B : never;

const history = fc
  .array(body, { minLength: 1, maxLength: 15 })
  .chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies)));

const events = (bodies: readonly Body[]) =>
  bodies.map((own) => derivedEvent('login', { ...own }, { player_id: users.indexOf(own.user_id) + 1 }));

function plainActivity(bodies: readonly Body[], user: string) {
  const own = bodies
    .filter(({ user_id }) => user_id === user)
    .map((one) => ({ ...one, at: Date.parse(one.timestamp) * 1000 }));
  const named = own.flatMap(({ origin, at }) => (origin === undefined ? [] : [{ origin, at }]));
  named.sort((x, y) => y.at - x.at || Buffer.from(x.origin).compare(Buffer.from(y.origin)));
  const times = own.map(({ at }) => at);
  if (times.length === 0) return undefined;
  const [latest] = named;
  return {
    player_id: users.indexOf(user) + 1,
    first_event_at: Math.min(...times),
    last_event_at: Math.max(...times),
    origin: latest?.origin ?? null,
    origin_at: latest?.at ?? null,
  };
}

test('P3: one batch in any order and repetition gives the same activity', () => {
  fc.assert(
    fc.property(history, ([bodies, batches]) => {
      const found = activities(events(batches.flat()));
      for (const [i, user] of users.entries()) {
        expect(found.find(({ player_id }) => player_id === i + 1)).toEqual(plainActivity(bodies, user));
      }
    }),
    { numRuns: 1_500 },
  );
});

test('P3: through the table, any order, repetition and batching gives the same activity', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ([bodies, batches]) => {
      await pool.query('truncate live.player_activity');
      await transaction(pool, async (tx) => {
        await tx.query('set local search_path = live, public');
        for (const batch of batches) await saveActivities(tx, activities(events(batch)));
      });
      for (const [i, user] of users.entries()) {
        expect(await readActivity(pool, i + 1)).toEqual(plainActivity(bodies, user));
      }
    }),
    { numRuns: 300 },
  );
}, 60_000);
