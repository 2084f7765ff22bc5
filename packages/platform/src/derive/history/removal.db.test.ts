import { beforeAll, expect, test } from 'vitest';
import { casino, none, setupHistory } from '../../../testing/derive/history/history.ts';
import { watchedPool } from '../../../testing/derive/watched-pool.ts';
import { testLog } from '../../../testing/log.ts';
import { transaction } from '../../database/index.ts';
import { families } from '../families/index.ts';
import { DeriveWorker } from '../worker.ts';
import { pruneFacts } from './prune.ts';
import { removalLock } from './removal.ts';
import { isForgotten } from './remove-facts.ts';
import { day, dayName, startOf } from './too-old.ts';

/*
 * Two days of history and three players, each with a round that is old enough to be removed. The horizon has moved
 * forward, and then a lock kept the first step from doing anything.
 */
const history = await setupHistory();
const { clock, pool, brand, tell, publish, derive, nextDay, differences } = history;
const users = ['early', 'noted', 'other'];

const batches = watchedPool(pool);
const { ledger, leases, brands } = history;
const worker = new DeriveWorker({ ledger, leases, brands, log: testLog, pool: batches.pool, clock: clock.now });

const prune = () =>
  pruneFacts(pool, startOf(dayName(clock.now() - 2 * day)), [brand.brand_id], {
    pause: async () => {},
    onRemoved: async () => {},
  });

async function retained(): Promise<string[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    `select user_id from live.round join player using (player_id) where round_id = 'old' and played order by 1`,
  );
  return rows.map((row) => row.user_id);
}

beforeAll(async () => {
  await tell(...users.map((user) => casino(user, 'old', clock.now(), { amount: 100 })));
  await nextDay(4);
  await transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock_shared($1)', [removalLock]);
    expect(await nextDay(16)).toMatchObject({ pruned: 0 });
  });
});

test('a batch that has recorded the facts that it touches blocks the step until the commit, and the facts stay', async () => {
  await publish(casino('noted', 'old', clock.now(), { status: 'Rollback' }));
  batches.onQuery(/pg_visible_in_snapshot/, async () => {
    expect(await prune()).toEqual({ rows: 0 });
  });
  expect(await worker.runOnce()).toMatchObject({ events: 1, parked: 0 });
  expect(await retained()).toEqual(users);
});

test('a batch that loaded a fact before a step removed it is retried', async () => {
  await publish(casino('early', 'old', clock.now(), { status: 'Rollback' }));
  batches.onQuery(/casino_activity/, async () => {
    // The step that was blocked above continues where it was, a week before the next one is due.
    expect(await prune()).toEqual({ rows: 2 });
  });
  await expect(worker.runOnce()).rejects.toThrow('the batch is repeated');
  expect(await retained()).toEqual(['noted']);
  await derive();
  await leases.storeIdleCursors([...leases.owned().keys()]);
  const { rows } = await pool.query('select from live.round where orphans > 0');
  expect(rows).toHaveLength(1);
  expect(await differences()).toEqual(none);
  expect((await pool.query('select done_to from pruned_fact')).rows).toEqual([{ done_to: null }]);
});

test('old rows are found by an index, however many young ones a player has', async () => {
  for (const { name, index_bound, ages_by = '' } of families.flatMap(({ tables }) => tables.filter(isForgotten))) {
    const { rows } = await pool.query(
      'select from pg_indexes where schemaname = $1 and tablename = $2 and indexdef like $3',
      ['live', name, `%(player_id, ${index_bound ?? ages_by}%`],
    );
    expect(rows.length, name).toBeGreaterThan(0);
  }
});
