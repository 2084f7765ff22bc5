import { expect, test } from 'vitest';
import { csvField } from './csv-field.ts';

test.each([
  ['ann', 'ann'],
  ['c"d', '"c""d"'],
  ['a,b', '"a,b"'],
  ['-17', '-17'],
  ['+35699', '+35699'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['@sum', "'@sum"],
  ['-2+3', "'-2+3"],
])('%s becomes %s', (text, field) => expect(csvField(text)).toBe(field));
