import { expect, test } from 'vitest';
import { noon, testClock } from '../../../../testing/clock.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { setupSync } from '../../../../testing/operator/setup-sync.ts';
import { BonusLists } from './bonus-lists.ts';

const { pool } = await setupDatabase();
const minute = 60_000_000;

async function setup() {
  const { brand, operator, worker } = await setupSync(pool, { started: false });
  const clock = testClock();
  const lists = new BonusLists({ clients: worker.clients, health: worker.health, clock: clock.now });
  const calls = () => operator.calls.list('bonus_list').length;
  return { brand, operator, clock, calls, read: () => lists.read(brand) };
}

test('concurrent reads, and all reads within 5 minutes, make one call', async () => {
  const { read, calls, clock } = await setup();
  const lists = await Promise.all([read(), read(), read()]);
  expect(lists[0]).toMatchObject({ state: 'fresh', as_of: noon, error: null });
  expect(lists[0]?.bonuses).toContainEqual({ bonus_code: 'WELCOME100', text: 'Welcome bonus 100 %' });
  clock.advance(5 * minute - 1);
  await read();
  expect(calls()).toBe(1);
  clock.advance(1);
  expect((await read()).as_of).toBe(noon + 5 * minute);
  expect(calls()).toBe(2);
});

test('after a failure, the last list is shown as stale, and the next call follows after 10 seconds', async () => {
  const { read, calls, clock, operator } = await setup();
  await read();
  clock.advance(5 * minute);
  operator.dials.set('bonus_list', { faults: [{ fault: 'error_body' }] });
  const stale = await read();
  expect(stale).toMatchObject({ state: 'stale', as_of: noon });
  expect(stale.bonuses).toHaveLength(4);
  expect(stale.error).not.toBeNull();
  await read();
  expect(calls()).toBe(2);
  operator.dials.clear();
  clock.advance(10_000_000);
  expect((await read()).state).toBe('fresh');
});

test.each([
  ['404', { fault: 'status', status: 404 } as const, 'not_offered'],
  ['501', { fault: 'status', status: 501 } as const, 'not_offered'],
  ['a page of HTML', { fault: 'wrong_body', shape: 'html' } as const, 'failed'],
  ['a cut connection', { fault: 'reset', at: 'in_body' } as const, 'failed'],
])('%s without an earlier list: no bonuses, and the state shows why', async (_, fault, state) => {
  const { read, operator } = await setup();
  operator.dials.set('bonus_list', { faults: [fault] });
  expect(await read()).toMatchObject({ state, bonuses: [], as_of: null });
});
