import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { partReader } from './read-part.ts';

const read = partReader(
  Type.Object({
    id: Type.Optional(Type.Integer()),
    only: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String()),
    limit: Type.Integer({ minimum: 1, default: 50 }),
  }),
  'query',
);

test('digits become a number, true and false become booleans, text stays text, and defaults are filled in', () => {
  expect(read({ id: '12', only: 'true', name: '1', limit: '7' })).toEqual({
    ok: true,
    value: { id: 12, only: true, name: '1', limit: 7 },
  });
  expect(read({ id: '-3', only: 'false' })).toEqual({ ok: true, value: { id: -3, only: false, limit: 50 } });
  expect(read({ id: '9007199254740991' })).toMatchObject({ ok: true });
});

test.each(['true', 'false', '0x1', '+1', '1e0', '1.0', ' 1', '01', '-0', '', 'null', '9007199254740992', '١'])(
  'no other spelling is a number: %j',
  (id) => {
    expect(read({ id })).toMatchObject({ ok: false, errors: [{ path: 'id', rule: 'type' }] });
  },
);

test.each(['1', '0', 'TRUE', 'yes', ''])('no other spelling is a boolean: %j', (only) => {
  expect(read({ only })).toMatchObject({ ok: false, errors: [{ path: 'only', rule: 'type' }] });
});

test('a parameter that is given twice is not a single value', () => {
  expect(read({ id: ['1', '2'] })).toMatchObject({ ok: false });
});

test('at most 20 errors are listed', () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, Type.Integer()]));
  const missing = partReader(Type.Object(fields), 'body')({});
  expect(missing.ok ? 0 : missing.errors.length).toBe(20);
  const unknown = partReader(
    Type.Object({}, { additionalProperties: false }),
    'body',
  )(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, 1])));
  expect(unknown.ok ? [] : unknown.errors).not.toEqual([]);
  expect(unknown.ok ? 0 : unknown.errors.length).toBeLessThanOrEqual(20);
});
