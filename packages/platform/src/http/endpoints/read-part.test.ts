import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { partReader } from './read-part.ts';

const read = partReader(Type.Record(Type.String(), Type.Integer()), 'body');
const wrong = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, 'x']));

test.each([9, 19, 20, 30, 2_000])('an answer lists 20 errors at most: %i wrong fields', (count) => {
  const given = wrong(count);
  expect(read(given)).toEqual({
    ok: false,
    errors: Object.keys(given)
      .slice(0, 20)
      .map((path) => ({ path, rule: 'type', message: `${path} must be integer` })),
  });
});
