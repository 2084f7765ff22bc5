import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../testing/clock.ts';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { makeWorker } from '../../../testing/operator/setup-sync.ts';
import { timestamptzText } from '../../database/index.ts';

/* A brand goes live, with the real stages and the sandbox operator. The overview turns green step by step. */
const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const operator = await startSandboxOperator({ auth });
const clock = testClock(Date.now() * 1000);
const console = await setupConsole({ operator: { base_url: operator.url, auth } }, clock);
const sync = makeWorker(console.pool, [console.brand]);

beforeAll(() => sync.start());
afterAll(async () => {
  await sync.stop();
  await operator.stop();
});

const overview = async () => (await console.get('/brands/malta/overview')).body;
const states = ({ go_live }: { go_live: { steps: { state: string }[] } }) => go_live.steps.map(({ state }) => state);

/** A timestamp this many milliseconds ago. */
const ago = (ms: number) => timestamptzText(clock.now() - ms * 1_000);

const deposit = (payment_id: string, fields: object = {}) => ({
  user_id: 'ann',
  payment_id,
  type: 'Credit',
  status: 'Approved',
  amount: 10,
  currency: 'EUR',
  exchange_rate: 1,
  vendor_id: 'v-1',
  origin: 'a.example.com',
  timestamp: ago(100),
  ...fields,
});

test('an earlier answer is returned only to a call that accepts its age', async () => {
  const { at } = await overview();
  clock.advance(1_000_000);
  const answer = await console.get('/brands/malta/overview?max_age=60');
  expect(answer.body.at).toBe(at);
  expect((await overview()).at).not.toBe(at);
});

describe('the go-live steps', () => {
  test('start as not started, and propose the setting on_invalid: accept', async () => {
    const body = await overview();
    expect(states(body)).toEqual(new Array(7).fill('not_started'));
    expect(body.go_live.ready).toBe(false);
    expect(body.go_live.proposals[0]).toMatchObject({ setting: 'on_invalid', value: 'accept' });
    expect(body).toMatchObject({ lag: { seconds: 0, blocks: 0 }, kinds: [], alarms: [] });
    expect(body.minutes).toHaveLength(60);
    expect(body.concerns.map(({ count }: { count: number }) => count)).toEqual(new Array(10).fill(0));
  });

  test('turn green because of calls and events', async () => {
    operator.books.addPlayer('ann');
    await console.publish('registration', { user_id: 'ann', timestamp: ago(50) });
    await console.derive();
    sync.scheduler.wake();
    await expect.poll(async () => (await console.get('/brands/malta/players/ann')).body.sync.state).toBe('current');
    // A round of the worker may already have stored the counts of the calls.
    await expect
      .poll(async () => {
        await sync.health.runOnce();
        return states(await overview());
      })
      .toEqual(['done', 'done', 'done', 'done', 'done', 'not_started', 'not_started']);
    const body = await overview();
    const [authentication, details, , , registrations] = body.go_live.steps;
    expect(authentication.last_success).toEqual(expect.any(String));
    expect(details).toMatchObject({ item: 'GetUserDetails', last_error: null });
    expect(registrations.publish_delay).toEqual({ p50_ms: 50, p99_ms: 50, target_ms: 1_000, events: 1 });

    await console.publish('login', { user_id: 'ann', timestamp: ago(5_000) });
    await console.publish('payment', deposit('p-1'));
    await console.derive();
    const live = await overview();
    expect(states(live)).toEqual(['done', 'done', 'done', 'done', 'done', 'warning', 'done']);
    expect(live.go_live.steps[5].notes[0].code).toBe('late');
    expect(live.go_live.ready).toBe(true);
  });

  test('turn yellow with conflicts, and the alarms name the kind', async () => {
    await console.publish('payment', deposit('p-1', { amount: 11 }));
    await console.derive();
    const { go_live, alarms, kinds } = await overview();
    expect(go_live.steps[6]).toMatchObject({ state: 'warning', notes: [{ code: 'conflicts', setting: null }] });
    expect(alarms.map(({ code, list }: { code: string; list: string }) => [code, list])).toContainEqual([
      'conflicts',
      '/conflicts?kind=payment',
    ]);
    expect(kinds.find(({ kind }: { kind: string }) => kind === 'payment')).toMatchObject({ events: 2, conflicts: 1 });
  });

  test('turn red with an invalid event, and back when it is resolved', async () => {
    clock.advance(1_000_000);
    const reasons = [
      { path: 'amount', rule: 'required', message: 'amount is required; send a string.' },
      { path: 'origin', rule: 'required', message: 'origin is required; send a string.' },
    ];
    await console.quarantine.keep(console.brand, 'payment', Buffer.from('{}'), reasons, null);
    const red = await overview();
    expect(red.go_live.steps[6]).toMatchObject({
      state: 'failing',
      last_error: { messages: reasons.map(({ message }) => message) },
    });
    const german = await console.app.inject({
      url: '/api/console/v1/brands/malta/overview',
      headers: { authorization: `Bearer ${adminToken}`, 'accept-language': 'de' },
    });
    expect(german.json().go_live.steps[6].last_error.messages[1]).toBe(
      'origin ist erforderlich; senden Sie einen Text.',
    );
    expect(red.go_live.ready).toBe(false);
    const { body } = await console.get('/brands/malta/quarantine');
    await console.call('POST', `/brands/malta/quarantine/${body.items[0].quarantine_id}/dismiss`, {
      body: { note: 'a test' },
    });
    expect((await overview()).go_live.steps[6].state).toBe('warning');
  });

  test('turn red if the operator refuses the credentials, and operator-health shows which endpoint', async () => {
    for (const endpoint of ['userdetails', 'userconsents', 'userblocks'] as const) {
      operator.dials.set(endpoint, { faults: [{ fault: 'status', status: 403, body: {} }] });
    }
    expect((await console.call('POST', '/brands/malta/players/ann/refresh')).status).toBe(202);
    sync.scheduler.wake();
    // Each of the three look-ups fails at its own time.
    const endpointStates = async () => {
      await sync.health.runOnce();
      const { body: health } = await console.get('/brands/malta/operator-health');
      return health.endpoints.map(({ endpoint, state }: { endpoint: string; state: string }) => `${endpoint} ${state}`);
    };
    await expect
      .poll(endpointStates)
      .toEqual(expect.arrayContaining(['userdetails failing', 'userconsents failing', 'userblocks failing']));
    // The health of the endpoint changes when the call is answered. The player's state changes when the answer is stored.
    await expect.poll(async () => (await console.get('/brands/malta/players/ann')).body.sync.state).toBe('retrying');
    const { steps } = (await overview()).go_live;
    expect(steps[0]).toMatchObject({
      state: 'failing',
      last_error: { message: expect.stringContaining('unauthorized') },
    });
    const { body: health } = await console.get('/brands/malta/operator-health');
    expect(health.endpoints[0]).toMatchObject({ state: 'failing', recent: { p99_ms: expect.any(Number) } });
    const { body: problems } = await console.get('/brands/malta/sync-problems?limit=1');
    expect(problems.items[0]).toMatchObject({ user_id: 'ann', reason: 'unauthorized', path: '' });
    const inGerman = async (path: string) =>
      (await console.call('GET', `/brands/malta/${path}`, { language: 'de' })).body;
    expect((await inGerman('sync-problems?limit=1')).items[0].message).toContain('antwortete mit 403');
    expect((await inGerman('players/ann')).sync.last_error.detail).toBe('antwortete mit 403');
    expect((await inGerman('operator-health')).endpoints[0].last_error.detail).toBe('antwortete mit 403');
    const { body: more } = await console.get(`/brands/malta/sync-problems?cursor=${problems.next}`);
    expect(more.items[0].look_up).not.toBe(problems.items[0].look_up);
    const { items } = (await console.get('/brands/malta/players/ann/timeline?kind=refresh')).body;
    expect(items.map(({ outcome }: { outcome: string }) => outcome)).toContain('failed');
  });
});

test("the platform's own events have no publish delay, so they are never the slowest kind", async () => {
  await console.publish('site_event', {
    user_id: 'ann',
    name: 'wheel',
    event_id: 'call-0001',
    timestamp: ago(600_000),
    data: {},
  });
  await console.derive();
  const { kinds } = await overview();
  const delayOf = (kind: string) => kinds.find((one: { kind: string }) => one.kind === kind).publish_delay;
  expect(delayOf('site_event')).toBeNull();
  expect(delayOf('login').p99_ms).toBe(5_000);
});

test('events that are not derived yet are shown as lag, and derived ones as a rate', async () => {
  await console.publish('login', { user_id: 'ann', timestamp: ago(10) });
  clock.advance(70_000_000);
  const behind = await overview();
  expect(behind.lag.seconds).toBeCloseTo(70, 3);
  expect(behind.alarms[0]).toMatchObject({ code: 'lag', severity: 'critical' });
  await console.derive();
  clock.advance(60_000_000);
  const { lag, events_per_second } = await overview();
  expect(lag.seconds).toBe(0);
  expect(events_per_second).toBeGreaterThan(0);
});
