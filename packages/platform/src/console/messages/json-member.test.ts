import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberText } from './json-member.ts';

test.each([
  ['{"data": {"2":1,"1":12345678901234567890} ,"x":1}', '{"2":1,"1":12345678901234567890}'],
  ['{"x":{"data":1},"data":[{"data":2}]}', '[{"data":2}]'],
  ['{"d\\u0061ta":1.0}', '1.0'],
  ['{"data":1,"data":2}', '2'],
  ['{"a":"\\"data\\":1,}"}', undefined],
  ['{}', undefined],
  ['{"data":"a\\\\"}', '"a\\\\"'],
])('the member `data` of %s', (json, text) => {
  expect(memberText(json, 'data')).toBe(text);
});

test('any member of any object is read as JSON.parse reads it', () => {
  const anObject = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  const property = fc.property(anObject, fc.boolean(), (object, spaced) => {
    const json = JSON.stringify(object, null, spaced ? 2 : 0);
    for (const [name, value] of Object.entries(JSON.parse(json))) {
      expect(JSON.parse(memberText(json, name) ?? 'undefined')).toEqual(value);
    }
  });
  fc.assert(property, { numRuns: 200 });
});
