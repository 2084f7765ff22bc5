import { expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { createIntents, reserve, settleReservations } from '../../actions/index.ts';
import { transaction } from '../../database/index.ts';

const console = await setupConsole();
const { pool, brand } = console;
const { brand_id } = brand;

async function intents(user_id: string, count: number) {
  await console.publish('login', { user_id, timestamp: '2026-05-01T11:00:00Z' });
  await console.derive();
  const { rows } = await pool.query<{ player_id: number }>('select player_id from player where user_id = $1', [
    user_id,
  ]);
  const intent = { brand_id, player_id: rows[0]?.player_id ?? 0, bonus_code: 'W', activity_id: 'spring' };
  const made = await transaction(pool, (tx) =>
    createIntents(
      tx,
      Array.from({ length: count }, () => ({ ...intent, created_by: 'a test' })),
      noon,
    ),
  );
  return made.map(({ intent_id }) => ({ ...intent, intent_id, amount: null, currency: null }));
}

test('a budget is created, shown with what is used and left, changed and closed, each with its audit row', async () => {
  const made = await console.call('POST', '/brands/malta/budgets', {
    body: {
      name: 'Spring',
      scope: 'campaign',
      activity_id: 'spring',
      limit_amount: 100,
      limit_count: 10,
      bonus_values: { W: '12.50' },
    },
  });
  expect(made).toMatchObject({ status: 201, body: { limit_amount: '100', left: { amount: '100', count: 10 } } });
  const path = `/brands/malta/budgets/${made.body.budget_id}`;
  const own = await intents('ann', 3);
  await transaction(pool, async (tx) => {
    await reserve(tx, own, { at: noon, base_currency: 'EUR' });
    await settleReservations(tx, [{ intent_id: own[0]?.intent_id ?? '', state: 'spent' }]);
  });
  const [listed] = (await console.get('/brands/malta/budgets?activity_id=spring')).body.items;
  expect(listed).toMatchObject({
    reserved: { amount: '25', count: 2 },
    spent: { amount: '12.5', count: 1 },
    left: { amount: '62.5', count: 7 },
    near_limit: false,
    players: null,
    closed_at: null,
  });

  const changed = await console.call('PUT', path, { body: { limit_amount: null, limit_count: 3 } });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Spring', limit_amount: null, near_limit: true } });
  expect((await console.call('PUT', path, { body: { limit_count: null } })).status).toBe(400);
  expect((await console.call('DELETE', path)).status).toBe(204);
  expect((await console.call('DELETE', path)).status).toBe(204);
  expect((await console.call('PUT', path, { body: { name: 'x' } })).status).toBe(409);
  const audit = (await console.get('/brands/malta/audit')).body.items as { action: string; details: object }[];
  expect(audit.map(({ action }) => action)).toEqual(['budget.closed', 'budget.changed', 'budget.created']);
  expect(audit[1]?.details).toEqual({
    before: { limit_amount: '100', limit_count: 10 },
    after: { limit_amount: null, limit_count: 3 },
  });
});

test('the limits of a player, each with its own window', async () => {
  const limit = { name: 'Once a week', scope: 'player', window_days: 7, limit_count: 2 };
  expect((await console.call('POST', '/brands/malta/budgets', { body: limit })).status).toBe(201);
  await transaction(
    pool,
    async (tx) => void (await reserve(tx, await intents('bob', 1), { at: noon, base_currency: 'EUR' })),
  );
  const { body } = await console.get('/brands/malta/players/bob/budgets');
  expect(body.items).toMatchObject([
    { name: 'Once a week', window_days: 7, used: { amount: '0', count: 1 }, left: { amount: null, count: 1 } },
  ]);
  const [listed] = (await console.get('/brands/malta/budgets?closed=false')).body.items;
  expect(listed).toMatchObject({ scope: 'player', left: null, players: 1 });
});

test('the players at and near their limit, in the window of the budget, page by page', async () => {
  const day = 86_400_000_000;
  const limit = { scope: 'player', activity_id: 'spring', limit_count: 2, alarm_percent: 50 };
  const make = async (more: object) =>
    `/brands/malta/budgets/${(await console.call('POST', '/brands/malta/budgets', { body: { ...limit, ...more } })).body.budget_id}`;
  const [total, weekly] = [await make({ name: 'In total' }), await make({ name: 'Weekly', window_days: 7 })];
  const use = async (user_id: string, count: number, at = noon) => {
    const own = await intents(user_id, count);
    await transaction(pool, async (tx) => void (await reserve(tx, own, { at, base_currency: 'EUR' })));
  };
  await use('near', 1);
  await use('full', 2);
  await use('earlier', 2, noon - 8 * day);
  await intents('unused', 1);
  const players = async (path: string, more = '') => (await console.get(`${path}/players?limit=2${more}`)).body;
  const first = await players(total);
  expect(first.items).toEqual([
    { user_id: 'near', at_limit: false, used: { amount: '0', count: 1 }, left: { amount: null, count: 1 } },
    { user_id: 'full', at_limit: true, used: { amount: '0', count: 2 }, left: { amount: null, count: 0 } },
  ]);
  const second = await players(total, `&cursor=${first.next}`);
  expect(second).toMatchObject({ items: [{ user_id: 'earlier', at_limit: true }], next: null });
  // What was used before the window does not count in it.
  expect(await players(weekly)).toMatchObject({ items: [{ user_id: 'near' }, { user_id: 'full' }], next: null });
  expect((await console.get('/brands/malta/budgets/999999/players')).status).toBe(404);
});

test.each([
  ['no limit', { name: 'x', scope: 'player' }],
  ['a campaign budget without a campaign', { name: 'x', scope: 'campaign', limit_count: 1 }],
  ['a campaign with a window', { name: 'x', scope: 'campaign', activity_id: 'a', window_days: 7, limit_count: 1 }],
  ['a negative amount', { name: 'x', scope: 'player', limit_amount: -1 }],
  ['an amount that is not a number', { name: 'x', scope: 'player', limit_amount: 'much' }],
  ['an invalid value of a bonus', { name: 'x', scope: 'player', limit_count: 1, bonus_values: { W: '-5' } }],
])('%s is refused', async (_, body) => {
  expect((await console.call('POST', '/brands/malta/budgets', { body })).status).toBe(400);
});

test('roles that may not manage budgets can read them; an unknown budget is answered 404; no funds wait for a rate', async () => {
  const viewer = await console.as('viewer');
  expect((await console.get('/brands/malta/budgets', viewer)).status).toBe(200);
  const body = { name: 'x', scope: 'player', limit_count: 1 };
  expect((await console.call('POST', '/brands/malta/budgets', { body, token: viewer })).status).toBe(403);
  expect((await console.call('DELETE', '/brands/malta/budgets/999999')).status).toBe(404);
  expect((await console.get('/brands/malta/waiting-funds')).body).toEqual({ items: [], next: null });
});

test('without an operator, there is no list of bonuses', async () => {
  expect((await console.get('/brands/malta/bonus-list')).body).toEqual({
    state: 'not_offered',
    bonuses: [],
    left_out: 0,
    as_of: null,
    error: null,
  });
});
