import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '../../test/ask.ts';
import { type Fault, type SandboxOperator, startSandboxOperator, type WrongShape } from './index.ts';

let clock: number;
let operator: SandboxOperator;
beforeEach(async () => {
  clock = 0;
  operator = await startSandboxOperator({ now: () => clock });
  for (const user of ['anna', 'ben']) operator.books.addPlayer(user);
  operator.books.signIn('ben', 's-ben');
  operator.books.signIn('anna', 's-anna');
});
afterEach(() => operator.stop());

const authenticate = (sid: unknown) => ask(`${operator.url}/authenticate`, { body: { sid } });

test('a live session id is answered with its player', async () => {
  expect(await authenticate('s-anna')).toMatchObject({ status: 200, body: { user_id: 'anna' } });
  for (const sid of ['s-other', '', 7, null]) expect((await authenticate(sid)).status).toBe(401);
  operator.books.signOut('s-anna');
  expect((await authenticate('s-anna')).status).toBe(401);
  expect((await authenticate('s-ben')).status).toBe(200);
});

test('sessions expire; one session can be ended, or all sessions of a player at once', async () => {
  operator.books.signIn('anna', 's-short', 60);
  clock = 59_999;
  expect((await authenticate('s-short')).status).toBe(200);
  clock = 60_000;
  expect((await authenticate('s-short')).status).toBe(401);
  operator.books.signIn('anna', 's-short', 60);
  expect((await authenticate('s-short')).status).toBe(200);
  expect(operator.books.expire({ sid: 's-short' })).toBe(1);
  expect((await authenticate('s-short')).status).toBe(401);
  expect(operator.books.expire({ user_id: 'anna' })).toBe(2);
  expect((await authenticate('s-anna')).status).toBe(401);
  expect((await authenticate('s-ben')).status).toBe(200);
});

test('the control API does the same from outside', async () => {
  const control = (path: string, body?: object) => ask(`${operator.url}/_control/${path}`, { method: 'POST', body });
  await control('sids', { sid: 's-new', user_id: 'anna', seconds: 5 });
  expect((await authenticate('s-new')).status).toBe(200);
  expect((await control('sids/s-new')).body).toEqual({ expired: 1 });
  expect((await authenticate('s-new')).status).toBe(401);
});

test.each<[WrongShape, unknown]>([
  ['wrong_types', { user_id: true }],
  ['missing_fields', { sid: 'valid' }],
  ['another_player', { user_id: 'ben' }],
  ['empty_object', {}],
  ['null', null],
])('a 200 can name no player or another player: %s', async (shape, body) => {
  operator.dials.set('authenticate', { faults: [{ fault: 'wrong_body', shape }] });
  expect(await authenticate('s-anna')).toMatchObject({ status: 200, body });
});

test('a fault can affect the sessions of one player only', async () => {
  const fault: Fault = { fault: 'status', status: 500, users: ['anna'] };
  operator.dials.set('authenticate', { faults: [fault] });
  expect((await authenticate('s-anna')).status).toBe(500);
  expect((await authenticate('s-ben')).status).toBe(200);
  expect(operator.calls.list('authenticate').map((call) => call.user_id)).toEqual(['anna', 'ben']);
});
