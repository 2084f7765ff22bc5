import { describe, expect, test } from 'vitest';
import { judgeAnswer, pushLadder } from './judge-answer.ts';

const answered = (status: number) => ({ answered: true, status, detail: '', retry_after_ms: null }) as const;

describe('answers of a push service', () => {
  test.each([
    [200, { outcome: 'sent' }],
    [201, { outcome: 'sent' }],
    [202, { outcome: 'sent' }],
    [204, { outcome: 'sent' }],
    [301, { outcome: 'failed', reason: 'redirected' }],
    [307, { outcome: 'failed', reason: 'redirected' }],
    [400, { outcome: 'failed', reason: 'invalid' }],
    [401, { outcome: 'failed', reason: 'vapid_refused' }],
    [403, { outcome: 'failed', reason: 'vapid_refused' }],
    [404, { outcome: 'gone' }],
    [408, { outcome: 'retry', reason: 'server_error', retry_after_ms: null }],
    [410, { outcome: 'gone' }],
    [413, { outcome: 'failed', reason: 'too_large' }],
    [418, { outcome: 'failed', reason: 'invalid' }],
    [429, { outcome: 'retry', reason: 'rate_limited', retry_after_ms: null }],
    [500, { outcome: 'retry', reason: 'server_error', retry_after_ms: null }],
    [503, { outcome: 'retry', reason: 'server_error', retry_after_ms: null }],
    [799, { outcome: 'failed', reason: 'refused' }],
  ])('%d', (status, outcome) => expect(judgeAnswer(answered(status))).toEqual(outcome));

  test.each([
    ['unreachable', { outcome: 'retry', reason: 'unreachable', retry_after_ms: null }],
    ['connect_timeout', { outcome: 'retry', reason: 'connect_timeout', retry_after_ms: null }],
    ['private_address', { outcome: 'failed', reason: 'private_address' }],
    ['timeout', { outcome: 'unknown', reason: 'timeout' }],
    ['cut', { outcome: 'unknown', reason: 'cut' }],
  ] as const)('no answer: %s', (failure, outcome) =>
    expect(judgeAnswer({ answered: false, failure, detail: '' })).toEqual(outcome),
  );
});

test('waits between retries grow, and are never shorter than the push service requires', () => {
  const retryDelayMs = (attempts: number, random: number, retry_after_ms: number | null) =>
    pushLadder.delayMs('server_error', attempts, { random, retry_after_ms });
  const waits = [1, 2, 3, 4, 5, 6, 7, 99].map((attempts) => retryDelayMs(attempts, 0.5, null));
  expect(waits).toEqual([2_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 3_600_000, 3_600_000]);
  expect([retryDelayMs(1, 0, null), retryDelayMs(1, 0.999_999, null)]).toEqual([1_600, 2_400]);
  expect(retryDelayMs(1, 0.5, 90_000)).toBe(90_000);
  expect(retryDelayMs(4, 0.5, 90_000)).toBe(300_000);
});
