import { expect, test } from 'vitest';
import { problems } from '../../../contracts/src/problems.ts';
import { germanProblems, problemMessage } from '../text/problems.ts';

test('every problem of the registry has a German title', () => {
  expect(Object.keys(germanProblems).toSorted()).toEqual(Object.keys(problems).toSorted());
});

test.each([
  ['en', { title: 'The state has changed' }, 'The state has changed'],
  ['en', { title: 'The state has changed', detail: 'It is live.' }, 'It is live.'],
  ['en', { status: 502, code: 'unknown' }, 'The server answered with status 502. Try again in a moment.'],
  ['de', { detail: 'Sie ist in Kraft.', writtenIn: 'de' }, 'Sie ist in Kraft.'],
  ['de', { detail: 'It is live.', writtenIn: 'en' }, 'Der Zustand hat sich inzwischen geändert.'],
  ['de', { detail: 'It is live.' }, 'Der Zustand hat sich inzwischen geändert.'],
  [
    'de',
    { status: 502, code: 'unknown' },
    'Der Server hat mit Status 502 geantwortet. Versuchen Sie es gleich noch einmal.',
  ],
])('in %s %o is shown as %s', (language, problem, message) => {
  const answered = { status: 409, code: 'conflict', title: '', detail: '', writtenIn: null, ...problem };
  expect(problemMessage(language, answered)).toBe(message);
});
