import { expect, test } from 'vitest';
import { decimalText, titleOf } from './trait-decimal.ts';

test.each([
  ['386.6666666667', 'EUR', 'en', '386.67 EUR', 'trait: 386.6666666667 EUR'],
  ['1160', 'EUR', 'en', '1,160 EUR', 'trait'],
  ['0.5384740476', 'ratio', 'de', '0,5385', 'trait: 0,5384740476'],
  ['0.96', 'ratio', 'en', '0.96', 'trait'],
])('%s %s in %s is shown as %s, with the title %s', (value, unit, language, text, title) => {
  expect(decimalText({ value, unit }, language, true)).toBe(text);
  expect(titleOf('trait', { value, unit }, language)).toBe(title);
});

test('other values have no decimal text, and their title is the name', () => {
  expect(decimalText({ value: 3, unit: 'count' }, 'en', true)).toBeUndefined();
  expect(decimalText({ value: 'roulette', unit: 'id' }, 'en', true)).toBeUndefined();
  expect(titleOf('trait', { value: null, unit: 'EUR' }, 'en')).toBe('trait');
});
