import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { OperatorClients, OperatorHealth } from '../../operator/calling/index.ts';
import { Reconciler } from '../../operator/reconciliation/index.ts';

const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
// The operator is created before the console's clock is held. Its results use that clock.
const operator = await startSandboxOperator({ auth, now: () => console.clock.now() / 1_000 });
const console = await setupConsole({ operator: { base_url: operator.url, auth } });
const { pool, brands, clock, call, get } = console;
const health = new OperatorHealth({ pool, clock: clock.now, log: testLog });
const clients = new OperatorClients({ health });
const reconciler = new Reconciler({ pool, brands, clients, health, clock: clock.now, log: testLog });
const path = '/brands/malta/reconciliations';

beforeAll(async () => {
  for (const user_id of ['ann', 'bob']) {
    operator.books.addPlayer(user_id, { blocks: [{ type: 'Excluded', active: user_id === 'ann', note: '' }] });
    await console.publish('login', { user_id, timestamp: '2026-05-01T11:00:00Z' });
  }
  await console.derive();
});
afterAll(async () => {
  await clients.stop();
  await operator.stop();
});

async function work() {
  while ((await reconciler.readOnce()) !== undefined) while (await reconciler.walkOnce());
}

test('a run is requested and watched, and lists the players who differ', async () => {
  const asked = await call('POST', path, { body: { fields: ['excluded'] } });
  expect(asked).toMatchObject({ status: 202, body: { items: [{ field: 'excluded', state: 'waiting' }] } });
  const [{ reconciliation_id }] = asked.body.items;
  expect((await call('POST', path, { body: { fields: ['excluded'] } })).body.items).toMatchObject([
    { reconciliation_id },
  ]);
  await work();
  const run = await get(`${path}/${reconciliation_id}`);
  expect(run.body).toMatchObject({
    field: 'excluded',
    cause: 'person',
    state: 'done',
    as_of: '2026-05-01T12:00:00.000000Z',
    progress: { ids_read: 1, ids: 1, compared: 2 },
    drift: { tightened: 1, to_look_up: 0, reported: 0, newer: 0, created: 0 },
  });
  const drift = await get(`${path}/${reconciliation_id}/drift?done=tightened`);
  expect(drift.body).toMatchObject({
    items: [{ user_id: 'ann', we_say: null, they_say: true, since: null, done: 'tightened' }],
    next: null,
  });
  const player = await get('/brands/malta/players/ann');
  expect(player.body.blocks).toContainEqual(
    expect.objectContaining({
      type: 'Excluded',
      active: true,
      source: 'reconciliation',
      as_of: '2026-05-01T12:00:00.000000Z',
    }),
  );
  expect((await get(`${path}/999`)).status).toBe(404);
});

test('all nine fields are requested at once; an empty list is held, and a person decides', async () => {
  const asked = await call('POST', path, {});
  expect(asked.body.items).toHaveLength(9);
  await work();
  const held = await get(`${path}?state=held&field=blocked`);
  expect(held.body.items).toMatchObject([{ field: 'blocked', reason: 'empty', applied_at: null }]);
  const [{ reconciliation_id }] = held.body.items;
  expect((await call('POST', `${path}/${reconciliation_id}/cancel`)).status).toBe(409);
  expect(
    (await call('POST', `${path}/${reconciliation_id}/approve`, { token: await console.as('viewer') })).status,
  ).toBe(403);
  expect(await call('POST', `${path}/${reconciliation_id}/approve`)).toMatchObject({
    status: 202,
    body: { state: 'comparing' },
  });
  expect((await call('POST', `${path}/${reconciliation_id}/reject`)).status).toBe(409);
  await work();
  while (await reconciler.walkOnce());
  expect((await get(`${path}/${reconciliation_id}`)).body).toMatchObject({ state: 'done' });
  const page = await get(`${path}?limit=4`);
  const rest = await get(`${path}?limit=200&cursor=${page.body.next}`);
  expect([page.body.items.length, rest.body.items.length]).toEqual([4, 6]);
  const audit = await get('/brands/malta/audit');
  expect(audit.body.items.map(({ action }: { action: string }) => action)).toEqual([
    'reconciliation.approved',
    'reconciliation.requested',
    'reconciliation.requested',
    'reconciliation.requested',
  ]);
});

test('a waiting run can be cancelled; a wrong field is refused', async () => {
  const asked = await call('POST', path, { body: { fields: ['active'] } });
  const [{ reconciliation_id }] = asked.body.items;
  expect(await call('POST', `${path}/${reconciliation_id}/cancel`)).toMatchObject({
    status: 202,
    body: { state: 'cancelled' },
  });
  expect((await call('POST', path, { body: { fields: ['happy'] } })).status).toBe(400);
});

test('an action that cannot be written to the audit is not carried out', async () => {
  const refuse = `alter table console_audit add constraint nothing_of_runs check (action not like 'reconciliation.%') not valid`;
  const allow = 'alter table console_audit drop constraint nothing_of_runs';
  const states = async () => {
    const { rows } = await pool.query('select reconciliation_id, state, finished_at from reconciliation order by 1');
    return rows;
  };
  const asked = await call('POST', path, { body: { fields: ['blocked', 'active'] } });
  const [held, waiting] = asked.body.items.map((one: { reconciliation_id: number }) => one.reconciliation_id);
  await pool.query(`update reconciliation set state = 'held', reason = 'empty' where reconciliation_id = $1`, [held]);
  const before = await states();
  await pool.query(refuse);
  expect((await call('POST', path, { body: { fields: ['excluded'] } })).status).toBe(500);
  expect((await call('POST', `${path}/${waiting}/cancel`)).status).toBe(500);
  for (const verdict of ['approve', 'reject'])
    expect((await call('POST', `${path}/${held}/${verdict}`)).status).toBe(500);
  expect(await states()).toEqual(before);
  await pool.query(allow);
  // While another run of the operator is being compared, the call is refused, and the connection stays usable.
  await pool.query(`update reconciliation set state = 'comparing', step = 'players' where reconciliation_id = $1`, [
    waiting,
  ]);
  expect((await call('POST', `${path}/${held}/approve`)).status).toBe(409);
  expect((await call('POST', `${path}/${held}/reject`)).status).toBe(200);
});
