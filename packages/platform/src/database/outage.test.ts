import { describe, expect, test } from 'vitest';
import { isAbortedForAnother, isDatabaseAway, isUnfitValue } from './outage.ts';

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('what a database error means for a caller', () => {
  test.each<[string, unknown, boolean, boolean]>([
    // error, away, unfit value
    ['a refused connection', failure('connect', 'ECONNREFUSED'), true, false],
    ['a broken pipe', failure('write', 'EPIPE'), true, false],
    ['a server that is shutting down', failure('terminating connection', '57P01'), true, false],
    ['too many connections', failure('sorry', '53300'), true, false],
    ['no answer', failure('Query read timeout'), true, false],
    ['no connection available', failure('timeout exceeded when trying to connect'), true, false],
    [
      'a connection that broke inside a transaction',
      failure('Client has encountered a connection error and is not queryable'),
      true,
      false,
    ],
    ['a NUL in text', failure('invalid byte sequence', '22021'), false, true],
    ['a number out of range', failure('out of range', '22003'), false, true],
    ['a duplicate key', failure('duplicate key', '23505'), false, false],
    ['a bug', new TypeError('x is undefined'), false, false],
    ['no error at all', 'text', false, false],
  ])('%s', (_what, error, away, unfit) => {
    expect([isDatabaseAway(error), isUnfitValue(error)]).toEqual([away, unfit]);
  });
});

test.each([
  ['a deadlock', failure('deadlock detected', '40P01'), true],
  ['a serialization failure', failure('could not serialize access', '40001'), true],
  ['a duplicate key', failure('duplicate key', '23505'), false],
  ['no error at all', undefined, false],
])('whether a transaction was ended in favor of another: %s', (_what, error, aborted) => {
  expect(isAbortedForAnother(error)).toBe(aborted);
});
