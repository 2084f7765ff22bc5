import { expect, test } from 'vitest';
import { judgeSidAnswer } from './judge-answer.ts';

const answered = (status: number, body: unknown, more: { retry_after_ms?: number } = {}) =>
  judgeSidAnswer({
    answered: true,
    status,
    ...more,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });

test.each([
  ['a text', { user_id: 'anna' }, 'anna'],
  ['an integer', { user_id: 42 }, '42'],
  ['one beyond 2^53, digit by digit', '{"user_id":90071992547409931}', '90071992547409931'],
  ['with other fields beside it', { user_id: 'anna', status: 'active', name: 'A' }, 'anna'],
])('valid: %s', (_, body, user_id) => {
  expect(answered(200, body)).toEqual({ outcome: 'valid', user_id });
});

test.each([
  ['no user_id', {}],
  ['null', { user_id: null }],
  ['blank', { user_id: '  ' }],
  ['a fraction', { user_id: 1.5 }],
  ['an object', { user_id: { id: 1 } }],
  ['256 characters', { user_id: 'x'.repeat(256) }],
  ['a NUL', { user_id: 'a\u0000b' }],
  ['an error', { error: 'expired' }],
  ['a user_id beside an error', { user_id: 'anna', error: 'expired' }],
  ['a user_id without success', { user_id: 'anna', Success: false }],
])('a 200 alone proves nothing: %s', (_, body) => {
  expect(answered(200, body)).toEqual({ outcome: 'invalid' });
});

test.each([400, 401, 403, 404, 410, 422])('%i means invalid', (status) => {
  expect(answered(status, { user_id: 'anna' })).toEqual({ outcome: 'invalid' });
});

test.each([
  ['201', 201, { user_id: 'anna' }, 'status_201'],
  ['a redirect', 302, '', 'status_302'],
  ['405: the path is wrong', 405, '', 'status_405'],
  ['500', 500, { user_id: 'anna' }, 'status_500'],
  ['a page of a proxy', 200, '<html>', 'wrong_body'],
  ['nothing', 200, '', 'wrong_body'],
  ['a text', 200, '"anna"', 'wrong_body'],
])('an answer of a failing operator says nothing about the sid: %s', (_, status, body, reason) => {
  expect(answered(status, body)).toMatchObject({ outcome: 'unknown', reason });
});

test('an operator that asks for a pause gets no calls for that time', () => {
  expect(answered(429, '', { retry_after_ms: 7_000 })).toMatchObject({ outcome: 'unknown', pause_ms: 7_000 });
  expect(answered(429, '')).toMatchObject({ outcome: 'unknown', pause_ms: 1_000 });
});

test('no answer means unknown', () => {
  expect(judgeSidAnswer({ answered: false, failure: 'timeout', detail: 'late', sent: true })).toEqual({
    outcome: 'unknown',
    reason: 'timeout',
    detail: 'late',
  });
});
