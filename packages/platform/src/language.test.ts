import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr, en;q=0.4, de;q=0.6', 'de'],
  ['en-GB, de;q=0.9', 'en'],
  ['fr', 'en'],
  ['*', 'en'],
  ['de;q=0, en;q=0.1', 'en'],
  ['de;q=much', 'en'],
])('Accept-Language %s selects %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});
