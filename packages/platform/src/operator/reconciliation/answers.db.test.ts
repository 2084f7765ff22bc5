import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dial } from '@croupier/sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changeOperator } from '../../../testing/brand.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { setupReconciliation } from '../../../testing/operator/reconciliation/setup-reconciliation.ts';
import { systemClock } from '../../clock.ts';
import { readEndpoints } from '../calling/health/health-store.ts';
import { cancelRun } from './run/request-store.ts';

/** Tests unusable answers, and workers that stop. No part of such an answer has any effect. */
const { pool } = await setupDatabase();

type Fault = NonNullable<Dial['faults']>[number];
const population = { prefix: 'p', count: 400 };

describe('nothing is changed by an answer that', () => {
  test.each<[string, Fault, object]>([
    [
      'ends with an error after many users',
      { fault: 'error_in_stream', after: 300 },
      { state: 'failed', reason: 'operator_error', detail: 'the operator reports: time-out' },
    ],
    [
      'carries an error instead of users',
      { fault: 'error_in_stream', after: 0 },
      { state: 'failed', reason: 'operator_error' },
    ],
    [
      'ends too early, without an error of the connection',
      { fault: 'cut', after: 300, clean: true },
      { state: 'failed', reason: 'truncated' },
    ],
    ['is cut', { fault: 'cut', after: 300 }, { state: 'failed', reason: 'cut' }],
    ['is cut in the body', { fault: 'reset', at: 'in_body' }, { state: 'failed', reason: 'cut' }],
    ['is cut in the headers', { fault: 'reset', at: 'in_headers' }, { state: 'failed', reason: 'cut' }],
    ['never arrives', { fault: 'timeout' }, { state: 'failed', reason: 'timeout' }],
    ['has bytes that are not UTF-8', { fault: 'malformed_utf8' }, { state: 'failed', reason: 'not_utf8' }],
    ['is not a result', { fault: 'error_body', body: '<html>' }, { state: 'failed', reason: 'malformed' }],
    [
      'is an object without users',
      { fault: 'error_body', body: { ok: true } },
      { state: 'failed', reason: 'no_users' },
    ],
    [
      'has status 500',
      { fault: 'status', status: 500 },
      { state: 'failed', reason: 'bad_status', detail: 'answered 500' },
    ],
    [
      'has status 206',
      { fault: 'status', status: 206 },
      { state: 'failed', reason: 'bad_status', detail: 'answered 206' },
    ],
    ['has status 302', { fault: 'status', status: 302 }, { state: 'failed', reason: 'bad_status' }],
    ['has status 401', { fault: 'unauthorized' }, { state: 'failed', reason: 'bad_status', detail: 'answered 401' }],
    ['has status 404: not offered', { fault: 'status', status: 404 }, { state: 'not_offered', reason: null }],
    ['has status 405: not offered', { fault: 'status', status: 405 }, { state: 'not_offered', reason: null }],
    ['has status 501: not offered', { fault: 'status', status: 501 }, { state: 'not_offered', reason: null }],
  ])('%s', async (_name, fault, expected) => {
    const setup = await setupReconciliation(pool, {
      operator: { population },
      settings: { reconciliation_silence_ms: 500 },
    });
    const ann = await setup.player('ann', { consents: ['Email'] });
    setup.dial(fault);
    const run = await setup.reconcile('consent_email');
    expect(run).toMatchObject({
      ...expected,
      applied_at: null,
      compared: 0,
      created: 0,
      finished_at: expect.any(Number),
    });
    expect(await setup.consent(ann)).toMatchObject({ opted_in: true, source: 'look_up' });
    const { rows } = await pool.query('select from player where brand_id = $1', [setup.brand.brand_id]);
    expect(rows).toHaveLength(1);
    const { rows: left } = await pool.query('select to_regclass($1) as stage', [
      `reconciliation_stage.run_${run.reconciliation_id}`,
    ]);
    expect(left).toEqual([{ stage: null }]);
    await setup.health.runOnce();
    const [health] = await readEndpoints(pool, setup.brand.brand_id, 0);
    const failure = run.state === 'not_offered' ? null : run.reason;
    expect(health).toMatchObject({ endpoint: 'reconciliation', last_failure: failure });
    // The operator has recovered, so the next run succeeds.
    setup.operator.dials.clear();
    setup.operator.books.addPlayer('ann', { consents: [{ type: 'Email', opted_in: true }] });
    expect(await setup.reconcile('blocked')).toMatchObject({ state: 'held', reason: 'empty' });
  });
});

test('an answer may take longer than a call, but must keep sending data', async () => {
  const server = createServer((_request, response) => {
    const pieces = ['{"users":["a",', '"b"],', '"timestamp":', `"${new Date().toISOString()}"}`];
    const timer = setInterval(() => {
      const piece = pieces.shift();
      if (piece !== undefined) return response.write(piece);
      clearInterval(timer);
      return response.end();
    }, 60);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const patient = await setupReconciliation(pool, { settings: { base_url, call_timeout_ms: 100 } });
  expect(await patient.reconcile('consent_email')).toMatchObject({ state: 'done', ids: 2, created: 2 });
  const hasty = await setupReconciliation(pool, { settings: { base_url, reconciliation_silence_ms: 50 } });
  expect(await hasty.reconcile('consent_email')).toMatchObject({
    state: 'failed',
    reason: 'timeout',
    detail: 'no byte received for 50 ms',
  });
});

test('an expired token is renewed once', async () => {
  const auth = { type: 'oauth2', client_id: 'crm', client_secret: 'secret' } as const;
  const setup = await setupReconciliation(pool, {
    operator: { auth, population },
    settings: { auth: { ...auth, token_url: 'http://127.0.0.1:1' } },
  });
  if (setup.brand.operator === null) throw new Error('no operator');
  setup.brand.operator.auth = { ...auth, token_url: setup.operator.tokenUrl };
  expect(await setup.reconcile('active')).toMatchObject({ state: 'done', ids: 400 });
  setup.operator.expireTokens();
  expect(await setup.reconcile('active')).toMatchObject({ state: 'done', ids: 400 });
});

describe('workers', () => {
  test('a run uses the key that was corrected a moment ago', async () => {
    const wrong = { type: 'api_key', header: 'X-API-Key', value: 'a wrong key' };
    const { brand, operator, reconcile } = await setupReconciliation(pool, {
      operator: { population },
      settings: { auth: wrong },
    });
    await changeOperator(pool, brand, { base_url: operator.url, auth: { ...wrong, value: 'key' } });
    expect(await reconcile('active')).toMatchObject({ state: 'done', ids: 400 });
  });

  test('one answer at a time is read per operator', async () => {
    const { reconciler, request, dial, run } = await setupReconciliation(pool, { operator: { population } });
    dial({ fault: 'timeout' });
    const [first, second] = [await request('blocked'), await request('excluded')];
    expect(await request('blocked')).toBe(first);
    const reading = reconciler.readOnce();
    await expect.poll(async () => (await run(first)).state).toBe('reading');
    expect(await reconciler.readOnce()).toBeUndefined();
    expect(await run(second)).toMatchObject({ state: 'waiting' });
    await reconciler.stop();
    expect(await reading).toBe('failed');
    expect(await run(first)).toMatchObject({ reason: 'interrupted', detail: 'the worker was stopped' });
  });

  test('a worker that died while reading leaves a failed run; if it wakes up, it writes nothing', async () => {
    const { reconciler, request, operator, run, walk, player, consent } = await setupReconciliation(pool, {
      operator: { population },
    });
    const ann = await player('ann', { consents: ['Email'] });
    const died = Promise.withResolvers<void>();
    operator.dials.set('reconciliation', { hold: died.promise });
    const id = await request('consent_email');
    const reading = reconciler.readOnce();
    await expect.poll(async () => (await run(id)).state).toBe('reading');
    await pool.query(`update reconciliation set claimed_until = now() - interval '1 s' where reconciliation_id = $1`, [
      id,
    ]);
    expect(await reconciler.upkeepOnce()).toMatchObject({ died: 1 });
    died.resolve();
    expect(await reading).toBe('lost');
    await walk();
    expect(await run(id)).toMatchObject({ state: 'failed', reason: 'interrupted', compared: 0 });
    expect(await consent(ann)).toMatchObject({ opted_in: true });
  });

  test('a cancel takes effect while the answer is read', async () => {
    const { brand, reconciler, request, dial, run } = await setupReconciliation(pool, { operator: { population } });
    dial({ fault: 'timeout' });
    const id = await request('active');
    const reading = reconciler.readOnce();
    await expect.poll(async () => (await run(id)).state).toBe('reading');
    expect(await cancelRun(pool, brand.brand_id, id, systemClock())).toBe(true);
    expect(await reading).toBe('cancelled');
    expect(await run(id)).toMatchObject({ state: 'cancelled', cancel_requested: true });
  });

  test('once started, they run all steps without further calls', async () => {
    const { reconciler, request, run } = await setupReconciliation(pool, { operator: { population } });
    await reconciler.start();
    const id = await request('consent_email');
    await expect.poll(async () => (await run(id)).state).toBe('done');
    const { created, ids } = await run(id);
    expect(created).toBe(ids);
  });
});
