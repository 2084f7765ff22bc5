import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { FencedOff } from '../../buckets/index.ts';
import { failureOf } from './failure.ts';

function serverError(code: string): Error {
  return Object.assign(new pg.DatabaseError('message', 0, 'error'), { code });
}

describe('failureOf classifies errors', () => {
  test.each([
    ['57P01', 'outage'],
    ['57014', 'outage'],
    ['53100', 'outage'],
    ['40P01', 'outage'],
    ['25006', 'outage'],
    ['42P01', 'outage'],
    ['08006', 'outage'],
    ['22012', 'content'],
    ['22003', 'content'],
    ['23505', 'content'],
    ['23514', 'content'],
    ['XX001', 'content'],
    ['ECONNREFUSED', 'outage'],
    ['ETIMEDOUT', 'outage'],
    ['EPIPE', 'outage'],
    ['ERR_INVALID_ARG_TYPE', 'content'],
  ])('%s: %s', (code, failure) => {
    expect(failureOf(serverError(code))).toBe(failure);
  });

  test.each([
    [new Error('Connection terminated unexpectedly'), 'outage'],
    [new Error('timeout exceeded when trying to connect'), 'outage'],
    [new Error('Client has encountered a connection error and is not queryable'), 'outage'],
    [new TypeError('x is undefined'), 'content'],
    [new RangeError('int8 9223372036854775807 is beyond 2^53: select it as text'), 'content'],
    [new FencedOff([3]), 'fenced'],
    ['a text', 'content'],
    [null, 'content'],
  ])('%s: %s', (error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });
});
