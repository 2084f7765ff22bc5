import { expect, test } from 'vitest';
import { moneyText, roundedMoneyText } from './money.tsx';

test.each([
  ['25', 'en', '25 EUR'],
  ['1234.5', 'en', '1,234.50 EUR'],
  ['-0.125', 'en', '-0.125 EUR'],
  ['1234567.8', 'de', '1.234.567,80 EUR'],
  ['9007199254740993.01', 'en', '9,007,199,254,740,993.01 EUR'],
])('%s in %s is %s', (amount, language, text) => {
  expect(moneyText(amount, 'EUR', language)).toBe(text);
});

test.each([
  ['25', '25 EUR'],
  ['43.3', '43.30 EUR'],
  ['106.069315', '106.07 EUR'],
  ['-4.58894466', '-4.59 EUR'],
  ['9007199254740993.126', '9,007,199,254,740,993.13 EUR'],
  ['0.00123', '0.00123 EUR'],
  ['0.01234', '0.01 EUR'],
])('%s rounded to cents is %s', (amount, text) => {
  expect(roundedMoneyText(amount, 'EUR', 'en')).toBe(text);
});
