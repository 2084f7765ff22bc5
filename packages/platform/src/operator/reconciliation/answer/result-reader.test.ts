import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';

async function read(body: string | Uint8Array, cuts: readonly number[] = []) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  async function* pieces() {
    for (const [i, border] of borders.slice(0, -1).entries()) yield bytes.subarray(border, borders[i + 1]);
  }
  const ids: string[] = [];
  const timestamp = await readAnswer(pieces(), { bytes: 0, ids_read: 0 }, async (batch) => void ids.push(...batch));
  return { ids, timestamp };
}

const at = '"timestamp":"2026-05-01T12:00:00.000000Z"';

describe('a result is read', () => {
  test.each<[string, string, string[]]>([
    ['in the order of the interface', `{"users":["a","b"],${at}}`, ['a', 'b']],
    ['with the timestamp first', `{${at},"users":["a"]}`, ['a']],
    [
      'with unknown fields, which are skipped',
      `{"total":2,"meta":{"users":["x"],"error":"no"},"users":["a"],${at},"more":[[1,null]]}`,
      ['a'],
    ],
    ['with numbers as ids, unrounded', `{"users":[1, 12345678901234567890],${at}}`, ['1', '12345678901234567890']],
    ['with escapes', `{"users":["\\u0061\\"\\\\\\/\\n"],${at}}`, ['a"\\/\n']],
    ['with letters beyond ASCII', `{"users":["jörg","雪","\\ud83d\\ude00"],${at}}`, ['jörg', '雪', '😀']],
    ['empty', `{"users":[],${at}}`, []],
    ['with the error null', `{"users":["a"],"error":null,${at}}`, ['a']],
    ['with an empty error text', `{"error":"","users":["a"],${at}}`, ['a']],
    ['with white space', ` {\n"users" : [ "a" , "b" ] ,\r\n\t${at} }\n`, ['a', 'b']],
  ])('%s', async (_name, body, ids) =>
    expect(await read(body)).toEqual({ ids, timestamp: '2026-05-01T12:00:00.000000Z' }),
  );
});

describe('a result is unusable', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['with an error at the end', `{"users":["a"],${at},"error":"time-out"}`, 'operator_error'],
    ['with an error at the beginning', `{"error":"time-out",${at}}`, 'operator_error'],
    ['with an error in another letter case', `{"Error":"time-out","users":["a"],${at}}`, 'operator_error'],
    ['with an error that is an object', `{"error":{"code":1},"users":["a"],${at}}`, 'operator_error'],
    ['with the error true', `{"error":true,"users":["a"],${at}}`, 'operator_error'],
    ['cut in the list', `{"users":["a","b`, 'truncated'],
    ['cut after the list', `{"users":["a","b"]`, 'truncated'],
    ['cut inside a character', Buffer.from(`{"users":["ö`).subarray(0, -1), 'truncated'],
    ['without content', '', 'truncated'],
    ['without users', `{${at}}`, 'no_users'],
    ['with users that are not a list', `{"users":"a",${at}}`, 'no_users'],
    ['without a timestamp', '{"users":["a"]}', 'no_timestamp'],
    ['with a timestamp that is a number', '{"users":["a"],"timestamp":5}', 'bad_timestamp'],
    [
      'with bytes that are not UTF-8',
      Buffer.concat([Buffer.from('{"users":["'), Buffer.from([0xc3, 0x28]), Buffer.from(`"],${at}}`)]),
      'not_utf8',
    ],
    ['with an entry that is an object', `{"users":[{"user_id":"a"}],${at}}`, 'bad_id'],
    ['with an entry that is null', `{"users":["a",null],${at}}`, 'bad_id'],
    ['with a blank id', `{"users":[" "],${at}}`, 'bad_id'],
    ['with NUL in an id', `{"users":["a\\u0000"],${at}}`, 'bad_id'],
    ['with half a surrogate pair in an id', `{"users":["a\\ud83d"],${at}}`, 'bad_id'],
    ['with an id that is a fraction', `{"users":[1.5],${at}}`, 'bad_id'],
    ['twice', `{"users":["a"],${at}}{"users":["a"],${at}}`, 'malformed'],
    ['with an error and an Error', `{"error":null,"ERROR":null,"users":[],${at}}`, 'malformed'],
    ['with two lists', `{"users":["a"],"users":["b"],${at}}`, 'malformed'],
    ['with an extra comma', `{"users":["a",],${at}}`, 'malformed'],
    ['with a missing comma', `{"users":["a" "b"],${at}}`, 'malformed'],
    ['with a wrong bracket', `{"users":["a"},${at}}`, 'malformed'],
    ['with a wrong escape', `{"users":["\\x"],${at}}`, 'malformed'],
    ['with an invalid word', `{"users":[],"more":nul,${at}}`, 'malformed'],
    ['as a list', '["a"]', 'malformed'],
    ['as HTML', '<html>', 'malformed'],
    ['nested too deeply', `{"more":${'['.repeat(1_000)}`, 'malformed'],
  ])('%s', async (_name, body, reason) => expect(read(body)).rejects.toMatchObject({ name: 'UnusableResult', reason }));
});

const result = fc.record(
  {
    users: fc.array(
      fc
        .string({ minLength: 1, unit: 'grapheme' })
        .filter((id) => id.trim() !== '' && id.length < 200 && !id.includes('\u0000')),
    ),
    timestamp: fc.constant('2026-05-01T12:00:00Z'),
    extra: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['users', 'timestamp'] },
);

test('any result, cut into pieces anywhere, is read as JSON.parse reads it', () =>
  fc.assert(
    fc.asyncProperty(result, fc.array(fc.nat()), fc.boolean(), async (one, cuts, pretty) => {
      const read_ = await read(JSON.stringify(one, null, pretty ? 1 : 0), cuts);
      expect(read_).toEqual({ ids: one.users, timestamp: one.timestamp });
    }),
    { numRuns: 500 },
  ));

test('any text that is not JSON, or not a result, is refused, and no other error is thrown', () =>
  fc.assert(
    fc.asyncProperty(result, fc.nat(), fc.nat({ max: 255 }), async (one, place, byte) => {
      const bytes = Buffer.from(JSON.stringify(one));
      bytes[place % bytes.length] = byte;
      const parsed = parse(bytes);
      const outcome = await read(bytes).then(
        ({ ids }) => ids,
        (error: Error) => error.name,
      );
      if (parsed === undefined) expect(outcome).toBe('UnusableResult');
      else if (Array.isArray(outcome)) expect(outcome).toEqual((parsed.users as unknown[]).map(String));
      else expect(outcome).toBe('UnusableResult');
    }),
    { numRuns: 1_000 },
  ));

function parse(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

test.each([
  `{"users":["a","b"," secret\\u0000"],${at}}`,
  `{"users":["a","b",{"id":"secret"}],${at}}`,
  `{"users":["a","b",secret],${at}}`,
  `{"users":["a" 5150,"b"],${at}}`,
])('the message describes the error without quoting the text: %s', async (body) => {
  const error = await read(body).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ name: 'UnusableResult', message: expect.not.stringMatching(/secret|5150/) });
});

test('the message names the position of an entry that is not an id', async () => {
  await expect(read(`{"users":["a","b",""],${at}}`)).rejects.toThrow('entry 3 of users is not an id');
});
