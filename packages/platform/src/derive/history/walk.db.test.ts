import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importTooOld } from './index.ts';
import { casino, custom, deposit, none, setupHistory } from './test-history.ts';
import { day } from './too-old.ts';

/*
 * Whatever comes, however late, and however the days pass: live = baseline + kept ledger. Few ids and times, so that repeats,
 * contradictions, rollbacks of what is long dropped or removed, and re-used ids happen all the time.
 */
const history = await setupHistory(3);
const { clock, pool, brand, tell, nextDay, differences, worker } = history;

const user = fc.constantFrom('u1', 'u2');
const id = fc.constantFrom('a', 'b', 'c');
/** How late it comes, in days: now, a retry, late, on the edge, too old, or behind all that is kept. */
const age = fc.constantFrom(0, 0, 0, 0.1, 1, 2.5, 2.9, 3.1, 5, 20, 40);
const amount = fc.constantFrom(1, 5, 100);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('bet' as const), user, id, age, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('win' as const), user, id, age, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rollback' as const), user, id, age }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deposit' as const), user, id, age, amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdrawn' as const), user, id, age }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('custom' as const), user, age }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), user }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('days' as const), days: fc.constantFrom(1, 1, 2, 7, 17) }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(one: Step): Promise<void> {
  const now = clock.now();
  const moment = 'age' in one ? now - one.age * day : now;
  switch (one.do) {
    case 'bet':
      return tell(casino(one.user, one.id, moment, { amount: one.amount }));
    case 'win':
      return tell(casino(one.user, one.id, moment, { type: 'Win', activity_id: `${one.id}-win`, amount: one.amount }));
    case 'rollback':
      return tell(casino(one.user, one.id, moment, { status: 'Rollback' }));
    case 'deposit':
      return tell(deposit(one.user, one.id, moment, { amount: one.amount }));
    case 'withdrawn':
      return tell(deposit(one.user, one.id, moment, { status: 'Rollback' }));
    case 'custom':
      return tell(custom(one.user, moment));
    case 'import':
      await importTooOld(pool, brand.brand_id, { user_id: one.user }, { only: undefined, limit: 10, now });
      await worker.retryOnce();
      return;
    case 'days':
      await nextDay(one.days);
      return;
    default:
      one satisfies never;
  }
}

test('a rebuild finds no difference, whatever happens and in whatever order days grow old', {
  timeout: 180_000,
}, async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      for (const one of steps) await take(one);
      expect(await differences()).toEqual(none);
      compared += 1;
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(compared).toBe(12);
  const { rows } = await pool.query<{ dropped: number; pruned: number }>(
    `select (select count(*) from sealed_day where state = 'dropped') as dropped, (select count(*) from pruned_fact) as pruned`,
  );
  expect(rows[0]?.dropped).toBeGreaterThan(5);
  expect(rows[0]?.pruned).toBe(1);
});
