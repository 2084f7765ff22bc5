import { expect, test } from 'vitest';
import { describeUnknownFailure } from './unknown-failure.ts';

const advice =
  'If the message does not say what to correct, run the same command again with LOG_LEVEL=debug, and report the output as a defect.';

test.each<[what: string, error: unknown, text: string]>([
  ['a message', new Error('the bell rang'), 'the bell rang.'],
  ['several lines', new Error('the bell\n  rang.\n'), 'the bell rang.'],
  ['a chain of causes', new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a. Cause: b, caused by: c.'],
  ['a value that is no error', 'a word', 'a word.'],
  ['several attempts', new AggregateError([new Error('no A'), new Error('no B')]), 'no A; no B.'],
  ['a code instead of a message', Object.assign(new Error(''), { code: 'EWHAT' }), 'EWHAT.'],
  ['a name only', new RangeError(''), 'RangeError.'],
])('%s is one paragraph with the next step', (_what, error, text) => {
  for (const env of [{}, { LOG_LEVEL: 'info' }])
    expect(describeUnknownFailure(error, env)).toBe(`An unexpected error occurred: ${text} ${advice}`);
});

test('causes in a circle end', () => {
  const error = new Error('round');
  error.cause = error;
  expect(describeUnknownFailure(error, {}).length).toBeLessThan(500);
});

test.each(['debug', 'trace'])('LOG_LEVEL=%s adds the stack of each cause, but no data of the errors', (level) => {
  const cause = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(anna@example.com) exists.' });
  const text = describeUnknownFailure(new Error('not saved', { cause }), { LOG_LEVEL: level });
  expect(text).toMatch(
    /^An unexpected error occurred: not saved\. Cause: duplicate key\. Report this .*\nError: not saved\n +at .*\nError: duplicate key\n +at /s,
  );
  expect(text).not.toContain('anna');
});
