import { expect, test } from 'vitest';
import { indented } from './indented.ts';

test('values stay exactly as they were sent, also numbers that a parser would round', () => {
  const sent =
    '{"id":12345678901234567890,"amount":1.50,"text":"a, {b}: \\"c\\"","list":[1,{"x":null}],"none":{},"no":[ ]}';
  expect(indented(sent)).toBe(
    [
      '{',
      '  "id": 12345678901234567890,',
      '  "amount": 1.50,',
      '  "text": "a, {b}: \\"c\\"",',
      '  "list": [',
      '    1,',
      '    {',
      '      "x": null',
      '    }',
      '  ],',
      '  "none": {},',
      '  "no": []',
      '}',
    ].join('\n'),
  );
});

test('a text that is not JSON keeps its content', () => {
  expect(indented('{"a": nonsense').replaceAll(/\s/g, '')).toBe('{"a":nonsense');
  expect(indented('}{')).toBe('\n}{\n  ');
});
