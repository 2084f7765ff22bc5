import { expect, test } from 'vitest';
import { judgeList } from './judge-list.ts';

const answered = (status: number, body: unknown) =>
  judgeList({ answered: true, status, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
const list = (...Data: unknown[]) => ({ Data, Success: true, Errors: [] });

test('a list in the form of the interface is read', () => {
  expect(answered(200, list({ text: 'Welcome', value: 'W' }, { text: '', value: 12 }))).toEqual({
    outcome: 'list',
    bonuses: [
      { bonus_code: 'W', text: 'Welcome' },
      { bonus_code: '12', text: '12' },
    ],
    left_out: 0,
  });
  expect(answered(200, list())).toEqual({ outcome: 'list', bonuses: [], left_out: 0 });
});

test('entries without a code, and repeated codes, are left out and counted', () => {
  expect(answered(200, list({ text: 'x', value: 'A' }, { text: 'y', value: 'A' }, { text: 'z' }, null, 'B'))).toEqual({
    outcome: 'list',
    bonuses: [{ bonus_code: 'A', text: 'x' }],
    left_out: 4,
  });
});

test.each([
  ['404', 404, {}, { outcome: 'not_offered' }],
  ['501', 501, 'Not Implemented', { outcome: 'not_offered' }],
  ['500', 500, {}, { outcome: 'failed', reason: 'status_500' }],
  ['401', 401, {}, { outcome: 'failed', reason: 'status_401' }],
  ['a page', 200, '<html>', { outcome: 'failed', reason: 'not_json' }],
  ['an error object', 200, { Success: false, Errors: ['no'] }, { outcome: 'failed', reason: 'error_in_200' }],
  ['no list', 200, { Success: true }, { outcome: 'failed', reason: 'wrong_body' }],
  ['null', 200, 'null', { outcome: 'failed', reason: 'wrong_body' }],
  ['a list of something else', 200, list({ id: 1 }), { outcome: 'failed', reason: 'wrong_body' }],
] as const)('%s', (_, status, body, expected) => {
  expect(answered(status, body)).toMatchObject(expected);
});
