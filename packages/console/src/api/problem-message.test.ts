import { expect, test } from 'vitest';
import { problems } from '../../../contracts/src/problems.ts';
import { germanProblems, problemMessage } from '../text/problems.ts';

test('every problem of the registry has a German title', () => {
  expect(Object.keys(germanProblems).toSorted()).toEqual(Object.keys(problems).toSorted());
});

test.each([
  ['en', { status: 409, code: 'conflict', title: 'The state has changed', detail: '' }, 'The state has changed'],
  ['en', { status: 409, code: 'conflict', title: 'The state has changed', detail: 'It is live.' }, 'It is live.'],
  ['en', { status: 502, code: 'unknown', title: '', detail: '' }, 'The call was answered 502.'],
  [
    'de',
    { status: 409, code: 'conflict', title: 'x', detail: 'It is live.' },
    'Der Zustand hat sich inzwischen geändert: It is live.',
  ],
  ['de', { status: 502, code: 'unknown', title: '', detail: '' }, 'Der Aufruf wurde mit 502 beantwortet.'],
])('in %s %o is shown as %s', (language, problem, message) => {
  expect(problemMessage(language, problem)).toBe(message);
});
