import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { testClock } from '../../../testing/clock.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeWorker } from '../../../testing/operator/setup-sync.ts';

const clock = testClock();
const auth = { type: 'api_key', header: 'X-API-Key', value: 'key-of-the-operator' } as const;
const operator = await startSandboxOperator({
  auth,
  population: { prefix: 'p-', count: 3 },
  now: () => clock.now() / 1_000,
});
afterAll(() => operator.stop());
operator.books.addPlayer('tester', { details: { first_name: 'Ann', country: 'MT' } });
const test_user = { user_id: 'tester', sid: 'sid-of-the-test-user' };
const page = await setupConsole({ operator: { base_url: operator.url, auth, write_blocks: true }, test_user }, clock);
const path = '/brands/malta/operator-tests';

beforeEach(() => clock.advance(60_000_000));
afterEach(() => operator.dials.clear());

const run = (body: object, token?: string) => page.call('POST', path, { body, ...(token !== undefined && { token }) });
const preview = (body: object) => page.call('POST', `${path}/preview`, { body });
const mayCredit = (endpoint: string | null) => endpoint?.startsWith('bonus_credit') === true;

test('a look-up of the test user shows the request without its key, the answer, and how Croupier judges it', async () => {
  const answer = await run({ endpoint: 'userdetails' });
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 200, outcome: 'works', reason: null, findings: [], body_cut: false },
  });
  const { request, body } = answer.body;
  expect(request).toMatchObject({ method: 'GET', url: `${operator.url}/userdetails/tester`, body: null });
  expect(request.headers).toMatchObject({ 'x-api-key': '***', 'cache-control': 'no-store' });
  expect(JSON.parse(body)).toMatchObject({ user_id: 'tester', first_name: 'Ann' });
  expect(JSON.stringify(answer.body)).not.toContain(auth.value);
  // The headers that are shown are those that were sent.
  const sent = operator.calls.list().at(-1)?.headers;
  const { 'x-api-key': _, ...shown } = request.headers;
  expect(sent).toMatchObject(shown);
  // Nothing of the answer is stored, not even the player.
  expect((await page.get('/brands/malta/players/tester')).status).toBe(404);
});

test('roles that may not see personal data get a masked answer', async () => {
  const { body } = await run({ endpoint: 'userdetails' }, await page.as('integrator'));
  expect(JSON.parse(body.body)).toMatchObject({ user_id: 'tester', first_name: '***', country: 'MT' });
});

test('a wrong field, a refusal and a missing answer have different outcomes', async () => {
  operator.dials.set('userdetails', { faults: [{ fault: 'status', status: 403 }] });
  expect((await run({ endpoint: 'userdetails' })).body).toMatchObject({
    status: 403,
    outcome: 'fails',
    reason: 'unauthorized',
  });
  operator.dials.set('userdetails', { faults: [{ fault: 'reset', at: 'before_headers' }] });
  expect((await run({ endpoint: 'userdetails' })).body).toMatchObject({
    status: null,
    body: null,
    outcome: 'fails',
    reason: 'cut',
  });
  operator.dials.clear();
  operator.books.addPlayer('tester', { details: { first_name: 7 as never, country: 'MT' } });
  const { body } = await run({ endpoint: 'userdetails' });
  expect(body).toMatchObject({ outcome: 'works', findings: [{ path: 'first_name', message: expect.any(String) }] });
});

test("Croupier's verdicts are in the language of the call", async () => {
  const verdict = async (endpoint: string) => {
    const { body } = await page.call('POST', path, { body: { endpoint }, language: 'de' });
    return { detail: body.detail, findings: body.findings };
  };
  operator.dials.set(['userblocks', 'bonus_list', 'reconciliation'], { faults: [{ fault: 'status', status: 503 }] });
  expect((await verdict('userblocks')).detail).toBe('antwortete mit 503');
  expect((await verdict('bonus_list')).detail).toBe('Der Betreiber antwortete mit 503');
  expect((await verdict('reconciliation')).detail).toBe('Der Betreiber antwortete mit 503');
  operator.dials.clear();
  operator.books.addPlayer('tester', { details: { birth_date: '28.02.1990', country: 'MT' } });
  expect((await verdict('userdetails')).findings).toEqual([
    {
      path: 'birth_date',
      message: 'birth_date muss ein Datum der Form JJJJ-MM-TT oder leer sein; der letzte Wert gilt weiter',
    },
  ]);
});

test('consents, blocks, the list of bonuses and the list of excluded players are tested', async () => {
  for (const endpoint of ['userconsents', 'userblocks'])
    expect((await run({ endpoint })).body).toMatchObject({ status: 200, outcome: 'works' });
  expect((await run({ endpoint: 'bonus_list' })).body).toMatchObject({ outcome: 'works', entries: expect.any(Number) });
  const { body } = await run({ endpoint: 'reconciliation' });
  expect(body).toMatchObject({ status: 200, outcome: 'works', entries: 0, request: { body: '{"field":"excluded"}' } });
  expect(JSON.parse(body.body)).toMatchObject({ users: [] });
  // The list was not applied: there is no run.
  expect((await page.get('/brands/malta/reconciliations')).body.items).toEqual([]);
});

test('a missing list of bonuses is not a failure', async () => {
  operator.dials.set('bonus_list', { faults: [{ fault: 'status', status: 404 }] });
  expect((await run({ endpoint: 'bonus_list' })).body).toMatchObject({ outcome: 'not_offered', reason: null });
});

test('a random session id must be refused, and one of a player accepted; neither is shown or recorded', async () => {
  operator.books.signIn('p-1', 's-anna');
  const refused = await run({ endpoint: 'authenticate' });
  expect(refused.body).toMatchObject({ status: 401, outcome: 'works', request: { body: '{"sid":"***"}' } });
  const accepted = await run({ endpoint: 'authenticate', sid: 's-anna' });
  expect(accepted.body).toMatchObject({ status: 200, outcome: 'works', detail: 'user_id p-1' });
  expect((await run({ endpoint: 'authenticate', sid: 's-else' })).body).toMatchObject({ outcome: 'fails' });
  const { body: audit } = await page.get('/brands/malta/audit?action=operator.tested');
  expect(audit.items[0]).toMatchObject({ subject: 'endpoint authenticate', details: { outcome: 'fails' } });
  expect(JSON.stringify([audit, accepted.body])).not.toContain('s-anna');
});

test('roles that may not see personal data see only the id in the answer to a session id', async () => {
  operator.books.signIn('p-1', 's-anna');
  const token = await page.as('integrator');
  const answer = { user_id: 'p-1', email: 'ann@example.com', profile: { last_name: 'Bell' } };
  operator.dials.set('authenticate', { faults: [{ fault: 'status', status: 200, body: answer }] });
  const request = { endpoint: 'authenticate', sid: 's-anna' };
  const { body: masked } = await run(request, token);
  expect(masked).toMatchObject({ outcome: 'works', detail: 'user_id p-1' });
  expect(JSON.parse(masked.body)).toEqual({ user_id: 'p-1', email: '***', profile: { last_name: '***' } });
  expect(JSON.parse((await run(request)).body.body)).toEqual(answer);
  // A page of a proxy may contain anything.
  operator.dials.set('authenticate', { faults: [{ fault: 'wrong_body', shape: 'html' }] });
  expect((await run(request, token)).body.body).toBe('***');
});

test('a token is requested only from an operator that uses OAuth', async () => {
  expect((await run({ endpoint: 'token' })).status).toBe(409);
});

test('the preview of a change makes no call, and equals what is sent', async () => {
  await page.publish('login', { user_id: 'tester', timestamp: '2026-05-01T11:59:00Z' });
  await page.derive();
  const before = operator.calls.list().length;
  const funds = { endpoint: 'bonus_credit_funds', bonus_code: 'CASH', amount: '12.50', currency: 'eur' };
  const { body } = await preview(funds);
  expect(body).toMatchObject({
    user_id: 'tester',
    request: { method: 'POST', url: `${operator.url}/bonus/credit/funds`, headers: { 'x-api-key': '***' } },
  });
  expect(body.request.headers['Idempotency-Key']).toBe('(id of the intent)');
  expect(JSON.parse(body.request.body)).toEqual({
    user_id: 'tester',
    bonus_code: 'CASH',
    amount: 12.5,
    currency: 'EUR',
  });
  expect((await preview({ ...funds, amount: '0' })).status).toBe(400);
  expect((await preview({ endpoint: 'bonus_credit' })).status).toBe(400);
  const consents = await preview({ endpoint: 'userconsents_write', type: 'Email', value: false });
  const blocks = await preview({ endpoint: 'userblocks_write', type: 'Blocked', value: true, note: 'a test' });
  expect(JSON.parse(blocks.body.request.body)).toEqual({ blocks: [{ type: 'Blocked', active: true, note: 'a test' }] });
  expect(operator.calls.list().length).toBe(before);

  const changes = [{ type: 'Email', opted_in: false }];
  await page.call('POST', '/brands/malta/players/tester/consents', { body: { changes, note: 'a test' } });
  const worker = makeWorker(page.pool, [page.brand]);
  await worker.start();
  const attempts = async () => (await page.get('/brands/malta/players/tester/write-backs')).body.attempts;
  await expect.poll(async () => (await attempts()).length, { interval: 10, timeout: 15_000 }).toBe(1);
  await worker.stop();
  expect((await attempts())[0]).toMatchObject({ request: JSON.parse(consents.body.request.body), outcome: 'stored' });
});

test('no test can credit anything', async () => {
  for (const endpoint of ['bonus_credit', 'bonus_credit_funds', 'userconsents_write', 'userblocks_write'])
    expect((await run({ endpoint })).status).toBe(400);
  expect(operator.calls.list().filter(({ endpoint }) => mayCredit(endpoint))).toEqual([]);
});

test('ten tests in a row are allowed', async () => {
  for (let count = 0; count < 10; count++) expect((await run({ endpoint: 'bonus_list' })).status).toBe(200);
  expect(await run({ endpoint: 'bonus_list' })).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
});
