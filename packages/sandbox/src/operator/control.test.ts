import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '../../test/ask.ts';
import { type SandboxOperator, startSandboxOperator } from './index.ts';

let operator: SandboxOperator;
beforeEach(async () => {
  operator = await startSandboxOperator({ prefix: '/operator', auth: { type: 'api_key', value: 'k' } });
});
afterEach(() => operator.stop());

const control = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  ask(`${operator.url}/_control/${path}`, { method, body });
const lookUp = (path: string) => ask(operator.url + path, { headers: { 'x-api-key': 'k' } });

test('players are added, changed, read and removed from outside', async () => {
  await control('PUT', 'players/anna', { details: { city: 'Rabat' } });
  await control('PUT', 'players/anna', { blocks: [{ type: 'Blocked', active: true, note: 'review' }] });
  expect((await lookUp('/userdetails/anna')).body).toMatchObject({ city: 'Rabat', is_blocked: true });
  expect((await control('GET', 'players/anna')).body).toMatchObject({
    details: { user_id: 'anna' },
    wallet: { real: 0 },
  });
  expect((await control('GET', 'players?limit=5')).body).toMatchObject({ players: [{ details: { user_id: 'anna' } }] });
  expect((await control('DELETE', 'players/anna')).body).toEqual({ removed: true });
  expect((await control('GET', 'players/anna')).status).toBe(404);
});

test('dials are set and cleared from outside', async () => {
  await control('PUT', 'players/anna', {});
  const dial = { faults: [{ fault: 'status', status: 503 }] };
  expect((await control('PUT', 'dials/userdetails', dial)).body).toEqual({ userdetails: dial });
  expect((await lookUp('/userdetails/anna')).status).toBe(503);
  await control('DELETE', 'dials');
  expect((await lookUp('/userdetails/anna')).status).toBe(200);
  await control('PUT', 'dials/*', dial);
  expect((await lookUp('/bonus/list')).status).toBe(503);
  expect((await control('PUT', 'dials/nothing', dial)).status).toBe(404);
});

test('what the platform did is read from outside', async () => {
  await control('PUT', 'players/anna', {});
  await control('POST', 'sids', { sid: 's1', user_id: 'anna' });
  const headers = { 'x-api-key': 'k', 'Idempotency-Key': 'one' };
  await ask(`${operator.url}/bonus/credit`, { headers, body: { user_id: 'anna', bonus_code: 'RELOAD50' } });
  await ask(`${operator.url}/userconsents/anna`, { headers, body: { consents: [{ type: 'SMS', opted_in: false }] } });
  expect((await control('GET', 'credits')).body).toMatchObject({
    credits: [{ user_id: 'anna', idempotency_key: 'one' }],
  });
  expect((await control('GET', 'writebacks')).body).toMatchObject({
    write_backs: [{ record: 'consents', user_id: 'anna' }],
  });
  expect((await control('GET', 'calls?endpoint=bonus_credit')).body).toMatchObject({
    calls: [{ endpoint: 'bonus_credit', user_id: 'anna', status: 200, fault: null }],
  });
  expect((await control('GET', 'state')).body).toMatchObject({
    auth: 'api_key',
    players: 1,
    sids: 1,
    credits: 1,
    write_backs: 1,
    calls: { bonus_credit: 1, userconsents_write: 1, userdetails: 0 },
  });
  expect((await control('DELETE', 'sids/s1')).body).toEqual({ removed: true });
  await control('DELETE', 'calls');
  expect((await control('GET', 'calls')).body).toEqual({ calls: [] });
});

test('unknown controls and bodies that are not objects are refused; control can be turned off', async () => {
  expect((await control('GET', 'nothing')).status).toBe(404);
  expect((await control('PUT', 'players/anna', '{')).status).toBe(400);
  const closed = await startSandboxOperator({ control: false });
  try {
    expect((await ask(`${closed.url}/_control/state`)).status).toBe(404);
  } finally {
    await closed.stop();
  }
});

test('a test can wait for a call instead of sleeping', async () => {
  const arrived = operator.calls.next((call) => call.endpoint === 'userdetails' && call.user_id === 'late');
  await lookUp('/userdetails/late');
  expect(await arrived).toMatchObject({ user_id: 'late', status: 404 });
});
