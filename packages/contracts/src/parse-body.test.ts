import { expect, test } from 'vitest';
import { parseBody } from './parse-body.ts';

test.each([
  ['an id beyond 2^53', '{"v":12345678901234567}', '12345678901234567'],
  ['a long amount', '{"v":12345678.123456789}', '12345678.123456789'],
  ['a negative long number', '{"v":-12345678901234567890}', '-12345678901234567890'],
  ['a long number with an exponent', '{"v":1.2345678901234567e3}', '1234.5678901234567'],
  ['a number too large for binary', '{"v":1e400}', '1e400'],
  ['a number too small for binary', '{"v":1e-400}', `0.${'0'.repeat(399)}1`],
  ['a short number', '{"v":1.50}', 1.5],
  ['a number with 16 digits of which the last is 0', '{"v":1234567890123450}', 1234567890123450],
  ['a long zero', '{"v":0.00000000000000000000}', 0],
  ['digits in a text', '{"v":"12345678901234567890"}', '12345678901234567890'],
  ['a byte order mark', '\ufeff{"v":1}', 1],
])('%s', (_name, text, value) => {
  expect(parseBody(text)).toEqual({ ok: true, body: { v: value } });
});

test.each(['', '{', '{"a":1,}', 'undefined', '{"a":NaN}', "{'a':1}", '{"a":1} x'])('%j is not JSON', (text) => {
  expect(parseBody(text)).toMatchObject({ ok: false, error: { path: '', rule: 'json' } });
});

test('a body deeper than 64 levels is refused, however deep it is', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(parseBody(nested(64)).ok).toBe(true);
  expect(parseBody(nested(65))).toMatchObject({ ok: false, error: { rule: 'json_depth' } });
  expect(parseBody(nested(500_000))).toMatchObject({ ok: false });
});

test('the limits of a long body are checked before it is parsed', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`;
  expect(parseBody(members(150_001)).ok).toBe(true);
  expect(parseBody(members(150_002))).toMatchObject({ ok: false, error: { rule: 'json_members' } });
  expect(parseBody(`[${'0,'.repeat(500_000)}0]`)).toMatchObject({ ok: false, error: { rule: 'json_members' } });
  // The content of a string counts neither as depth nor as members.
  expect(parseBody(`{"note":"${'[,\\"'.repeat(200_000)}"}`).ok).toBe(true);
  expect(parseBody(`{"note":"${'x'.repeat(10_000)}","v":${'['.repeat(64)}${']'.repeat(64)}}`)).toMatchObject({
    ok: false,
    error: { rule: 'json_depth' },
  });
});

test('a number of half a million digits is parsed quickly', () => {
  const started = performance.now();
  parseBody(`{"v":1${'0'.repeat(500_000)}1}`);
  parseBody(`{"v":0.${'0'.repeat(500_000)}1}`);
  expect(performance.now() - started).toBeLessThan(1000);
});
