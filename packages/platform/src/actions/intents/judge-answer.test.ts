import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CallAnswer, CallFailure, CallResult } from '../../operator/calling/index.ts';
import { type AnswerRules, judgeAnswer } from './judge-answer.ts';

const usual: AnswerRules = { bonus_200_error: 'unknown', bonus_500: 'unknown' };

function outcome(result: CallResult, rules: Partial<AnswerRules> = {}): string {
  const { call } = judgeAnswer(result, { ...usual, ...rules });
  return call.outcome === 'credited' ? 'credited' : `${call.outcome} ${call.reason}`;
}
const answer = (status: number, body: string | Buffer = '{}'): CallResult => ({
  answered: true,
  status,
  body: Buffer.from(body),
});
const failure = (reason: CallFailure, sent: boolean): CallResult => ({
  answered: false,
  failure: reason,
  detail: 'what happened',
  sent,
});

describe('a 2xx', () => {
  test.each<[string, string | Buffer]>([
    ['empty', ''],
    ['text', 'OK'],
    ['HTML', '<!doctype html><h1>Thanks</h1>'],
    ['an empty object', '{}'],
    ['the id of the bonus', '{"user_bonus_id":"ub-1","status":"ok"}'],
    ['null', 'null'],
    ['an empty list', '[]'],
    ['an envelope of success', '{"Data":{},"Success":true,"Errors":[]}'],
    ['an empty error', '{"error":null,"errors":{},"success":"true"}'],
    ['a text in Latin-1', Buffer.from('gutgeschrieben für', 'latin1')],
    ['blanks', ' \r\n'],
    ['JSON behind a byte order mark', '\uFEFF {"status":"ok"}'],
    ['an error in an inner object', '{"data":{"error":"of yesterday"}}'],
  ])('%s: credited', (_what, body) => {
    for (const status of [200, 201, 202, 204]) expect(outcome(answer(status, body))).toBe('credited');
  });

  test.each<[string, string | Buffer]>([
    ['error', '{"error":"bonus engine not available"}'],
    ['error in any case', '{"ERROR":{"code":7}}'],
    ['errors', '{"errors":["no such code"]}'],
    ['Errors of an envelope', '{"Data":null,"Success":true,"Errors":[{"Message":"no"}]}'],
    ['success: false', '{"success":false}'],
    ['Success: "False"', '{"Success":"False"}'],
    ['status error', '{"status":"Error"}'],
    ['status failed', '{"status":"FAILED"}'],
    ['a list with one object', '[{"error":"no"}]'],
    ['success: "False"', '{"Success":" False "}'],
    ['an error nested very deep', `{"error":${'['.repeat(2e4)}1${']'.repeat(2e4)}}`],
    ['a byte order mark', '\uFEFF{"error":"no"}'],
    ['a message that is not UTF-8', Buffer.concat([Buffer.from('{"error":"'), Buffer.from([0xff]), Buffer.from('"}')])],
  ])('with %s: unknown, or rejected if the brand is configured so', (_what, body) => {
    expect(outcome(answer(200, body))).toBe('unknown error_in_success');
    expect(outcome(answer(200, body), { bonus_200_error: 'rejected' })).toBe('rejected error_in_success');
  });
});

describe('a 2xx that cannot be read', () => {
  const failed = '{"success":false}';
  const cases: [string, Buffer | string, Partial<CallAnswer>][] = [
    ['compressed', gzipSync(failed), { content_encoding: 'gzip' }],
    ['an unknown content encoding', failed, { content_encoding: 'x-own' }],
    [
      'UTF-16 according to its header',
      Buffer.from(failed, 'utf16le'),
      { content_type: 'application/json; charset="UTF-16"' },
    ],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${failed}`, 'utf16le'), {}],
    ['UTF-16 with a byte order mark, big-endian', Buffer.from(`\uFEFF${failed}`, 'utf16le').swap16(), {}],
    ['UTF-16 without a byte order mark', Buffer.from(failed, 'utf16le'), {}],
    ['half an object', '{"a":1,', {}],
    ['half a list behind blanks', '\uFEFF \n[{"error":"n', {}],
    ['an object in an unknown encoding', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0xff, 0x22]), {}],
  ];
  test.each(cases)('%s: unknown', (_what, body, headers) => {
    const result: CallResult = { answered: true, status: 200, body: Buffer.from(body), ...headers };
    for (const rules of [{}, { bonus_200_error: 'rejected' as const }])
      expect(outcome(result, rules)).toBe('unknown unreadable_answer');
  });

  test('a body without a content encoding, or an empty body: credited', () => {
    expect(outcome({ answered: true, status: 200, body: Buffer.from('{}'), content_encoding: 'Identity' })).toBe(
      'credited',
    );
    expect(outcome({ answered: true, status: 204, body: Buffer.alloc(0), content_encoding: 'gzip' })).toBe('credited');
  });
});

describe('every other status', () => {
  const expected = new Map<number, string>([
    ...[300, 301, 302, 303, 304, 307, 308].map((status) => [status, `rejected operator_${status}`] as const),
    ...[400, 403, 404, 405, 410, 413, 415, 422].map((status) => [status, `rejected operator_${status}`] as const),
    [401, 'retry unauthorized'],
    [429, 'retry rate_limited'],
  ]);
  test('has the outcome of the table; a status that the table does not list is rejected below 400, and unknown from 400 on', () => {
    const wrong: string[] = [];
    for (let status = 300; status < 600; status++) {
      const byTable = status < 400 ? `rejected operator_${status}` : `unknown operator_${status}`;
      const actual = outcome(answer(status, '{"status":"ok"}'));
      if (actual !== (expected.get(status) ?? byTable)) wrong.push(`${status}: ${actual}`);
    }
    expect(wrong).toEqual([]);
  });

  test('a 5xx counts as not applied if the brand is configured so, and no other status does', () => {
    for (const status of [500, 502, 503, 504, 599])
      expect(outcome(answer(status), { bonus_500: 'not_applied' })).toBe('retry server_error');
    expect(outcome(answer(409), { bonus_500: 'not_applied' })).toBe('unknown operator_409');
  });

  test('Retry-After is passed on with a retry', () => {
    const { call } = judgeAnswer({ answered: true, status: 429, body: Buffer.alloc(0), retry_after_ms: 7_000 }, usual);
    expect(call).toEqual({ outcome: 'retry', reason: 'rate_limited', retry_after_ms: 7_000 });
  });
});

describe('no answer', () => {
  test.each<[CallFailure, boolean, string]>([
    ['unreachable', false, 'retry unreachable'],
    ['connect_timeout', false, 'retry connect_timeout'],
    ['tls', false, 'retry tls'],
    ['refused_address', false, 'retry refused_address'],
    ['no_token', false, 'retry no_token'],
    ['timeout', true, 'unknown timeout'],
    ['cut', true, 'unknown cut'],
    ['too_large', true, 'unknown too_large'],
  ])('%s, sent %s: %s', (reason, sent, expected) => {
    expect(outcome(failure(reason, sent))).toBe(expected);
  });

  test('a call that may have been sent is never a retry', () => {
    for (const reason of ['unreachable', 'connect_timeout', 'tls', 'no_token'] as const)
      expect(outcome(failure(reason, true))).toBe(`unknown ${reason}`);
  });
});
