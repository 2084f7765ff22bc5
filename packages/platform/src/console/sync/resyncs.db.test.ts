import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { Resynchronizer } from '../../operator/resync/index.ts';

const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const console = await setupConsole({ operator: { base_url: 'http://127.0.0.1:9', auth } });
const { pool, brands, clock, call, get } = console;
const worker = new Resynchronizer({ pool, brands, clock: clock.now, log: testLog });
const path = '/brands/malta/resyncs';

test('a run is requested, watched, paused, continued and cancelled; the audit records who did it', async () => {
  for (const user_id of ['ann', 'bob']) await console.publish('login', { user_id, timestamp: '2026-05-01T11:00:00Z' });
  await console.derive();
  const body = {
    user_ids: ['ann', 'bob', 'nobody'],
    look_ups: ['consents'],
    per_second: 5,
    looked_up_before: '2026-05-01T10:00:00Z',
  };
  const asked = await call('POST', path, { body });
  expect(asked).toMatchObject({
    status: 202,
    body: {
      resync: {
        state: 'asking',
        named: 2,
        look_ups: ['consents'],
        per_second: 5,
        requested_by: 'admin token',
        filter: { looked_up_before: '2026-05-01T10:00:00.000000Z' },
        progress: { players: null, look_ups: null, asked: 0, answered: 0, failed: 0, open: 0 },
      },
      unknown_user_ids: ['nobody'],
    },
  });
  const { resync_id } = asked.body.resync;
  expect((await call('POST', path, { body: {} })).status).toBe(409);
  for (let n = 0; n < 3; n++) {
    await worker.runOnce();
    clock.advance(1_000_000);
  }
  expect((await get(`${path}/${resync_id}`)).body).toMatchObject({
    state: 'answering',
    progress: { players: 2, look_ups: 2, asked: 2, answered: 0, failed: 0, open: 2 },
  });
  expect((await call('POST', `${path}/${resync_id}/continue`)).status).toBe(409);
  expect((await call('POST', `${path}/${resync_id}/pause`)).body.state).toBe('paused');
  expect((await call('POST', `${path}/${resync_id}/continue`)).body.state).toBe('answering');
  expect((await call('POST', `${path}/${resync_id}/cancel`)).body.state).toBe('cancelled');
  const again = await call('POST', path);
  expect(again.body.resync).toMatchObject({ filter: {}, named: null });
  const first = await get(`${path}?limit=1`);
  expect(first.body.items).toMatchObject([{ resync_id: again.body.resync.resync_id }]);
  const second = await get(`${path}?limit=1&cursor=${first.body.next}`);
  expect(second.body).toMatchObject({ items: [{ resync_id }], next: null });
  expect((await get(`${path}?state=cancelled`)).body.items).toHaveLength(1);
  expect((await get(`${path}/4711`)).status).toBe(404);
  const { body: audit } = await get('/brands/malta/audit');
  const actions = audit.items
    .map(({ action }: { action: string }) => action)
    .filter((one: string) => one.startsWith('resync'));
  expect(actions.toReversed()).toEqual([
    'resync.requested',
    'resync.paused',
    'resync.continued',
    'resync.cancelled',
    'resync.requested',
  ]);
});

test('an action that cannot be written to the audit is not carried out', async () => {
  const list = async () => (await get(path)).body.items;
  for (const { resync_id } of await list()) await call('POST', `${path}/${resync_id}/cancel`);
  const before = await list();
  await pool.query(
    `alter table console_audit add constraint nothing_of_runs check (action not like 'resync.%') not valid`,
  );
  expect((await call('POST', path)).status).toBe(500);
  expect(await list()).toEqual(before);
  await pool.query('alter table console_audit drop constraint nothing_of_runs');
  const { resync_id } = (await call('POST', path)).body.resync;
  await pool.query(
    `alter table console_audit add constraint nothing_of_runs check (action not like 'resync.%') not valid`,
  );
  for (const change of ['pause', 'cancel'])
    expect((await call('POST', `${path}/${resync_id}/${change}`)).status).toBe(500);
  expect((await get(`${path}/${resync_id}`)).body.state).toBe('asking');
  await pool.query('alter table console_audit drop constraint nothing_of_runs');
  await call('POST', `${path}/${resync_id}/cancel`);
});

test('the alarm about refused sessions counts the answers of the last hour, in the health of the operator and in the overview', async () => {
  const { pool, brand } = console;
  const half = '2026-05-01T11:30:00Z';
  await pool.query(
    `insert into operator_endpoint (brand_id, endpoint, successes, last_success_at) values ($1, 'authenticate', 20, $2)`,
    [brand.brand_id, half],
  );
  await pool.query(
    `insert into operator_endpoint_minute (brand_id, endpoint, minute, successes, failures, latency) values ($1, 'authenticate', $2, 20, 0, '{}')`,
    [brand.brand_id, half],
  );
  for (const path of ['operator-health', 'overview'])
    expect((await get(`/brands/malta/${path}`)).body.alarms, path).toContainEqual(
      expect.objectContaining({ code: 'sessions_refused' }),
    );
  await pool.query(`delete from operator_endpoint where endpoint = 'authenticate'`);
  await pool.query(`delete from operator_endpoint_minute where endpoint = 'authenticate'`);
});

test('operator-health lists every endpoint, its circuit and what waits for it', async () => {
  const { body } = await get('/brands/malta/operator-health');
  expect(body.endpoints).toHaveLength(11);
  expect(body.endpoints).toContainEqual(
    expect.objectContaining({
      endpoint: 'userconsents',
      state: 'unused',
      waiting: expect.objectContaining({ due: 2 }),
      circuit: { state: 'closed', processes: 0, open_since: null, next_call_at: null },
    }),
  );
  await pool.query(
    `insert into operator_circuit (brand_id, endpoint, process, state, open_since, next_call_at, reported_at)
     values ($1, 'bonus_credit', 'worker-1', 'open', '2026-05-01T11:59:00Z', '2026-05-01T12:01:00Z', now())`,
    [console.brand.brand_id],
  );
  const open = await get('/brands/malta/operator-health');
  expect(open.body.alarms).toMatchObject([{ code: 'circuit_open', since: '2026-05-01T11:59:00.000000Z' }]);
  expect(open.body.endpoints).toContainEqual(
    expect.objectContaining({
      endpoint: 'bonus_credit',
      circuit: {
        state: 'open',
        processes: 1,
        open_since: '2026-05-01T11:59:00.000000Z',
        next_call_at: '2026-05-01T12:01:00.000000Z',
      },
    }),
  );
  expect((await get('/brands/malta/overview')).body.alarms).toContainEqual(
    expect.objectContaining({ code: 'circuit_open', list: '/operator-health' }),
  );
});
