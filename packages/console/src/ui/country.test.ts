import { expect, test } from 'vitest';
import { countryText } from './country.ts';

test.each([
  ['MT', 'en', 'Malta (MT)'],
  ['mt', 'en', 'Malta (MT)'],
  ['gb', 'de', 'Vereinigtes Königreich (GB)'],
  ['xx', 'en', 'xx'],
  ['ZZ', 'en', 'ZZ'],
  ['SWE', 'en', 'SWE'],
  ['nordics', 'en', 'nordics'],
  ['1a', 'en', '1a'],
  ['', 'en', ''],
])('%j in %s is %j', (code, language, text) => {
  expect(countryText(code, language)).toBe(text);
});
