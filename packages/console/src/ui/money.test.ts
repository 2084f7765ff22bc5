import { expect, test } from 'vitest';
import { moneyText } from './money.tsx';

test.each([
  ['25', 'en', '25 EUR'],
  ['1234.5', 'en', '1,234.50 EUR'],
  ['-0.125', 'en', '-0.125 EUR'],
  ['1234567.8', 'de', '1.234.567,80 EUR'],
  ['9007199254740993.01', 'en', '9,007,199,254,740,993.01 EUR'],
])('%s in %s is %s', (amount, language, text) => {
  expect(moneyText(amount, 'EUR', language)).toBe(text);
});
