import { expect, test } from 'vitest';
import { readDecimal } from './decimal.ts';

const read = (value: unknown) => {
  const reading = readDecimal(value);
  return reading.ok ? reading.text : `refused: ${reading.why}`;
};

test.each([
  [10, '10'],
  [0, '0'],
  [-0, '0'],
  [0.1, '0.1'],
  [1e-7, '0.0000001'],
  [123456789012345, '123456789012345'],
  ['10', '10'],
  [' 10.50 ', '10.5'],
  ['+5', '5'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['007.00', '7'],
  ['-0.00', '0'],
  ['1.5e3', '1500'],
  ['25e-4', '0.0025'],
  ['123456789012345678.123456789012345678901234567891', '123456789012345678.123456789012345678901234567891'],
])('%j is read as %s', (value, text) => {
  expect(read(value)).toBe(text);
});

test.each([
  [Number.NaN, 'not_a_decimal'],
  [Number.POSITIVE_INFINITY, 'not_a_decimal'],
  ['NaN', 'not_a_decimal'],
  ['Infinity', 'not_a_decimal'],
  ['1,000.00', 'not_a_decimal'],
  ['12 €', 'not_a_decimal'],
  ['0x10', 'not_a_decimal'],
  ['', 'not_a_decimal'],
  ['.', 'not_a_decimal'],
  [true, 'not_a_decimal'],
  [[], 'not_a_decimal'],
  [{ valueOf: 1 }, 'not_a_decimal'],
  [-1, 'negative'],
  ['-0.01', 'negative'],
  [1e18, 'too_many_digits'],
  ['1234567890123456789', 'too_many_digits'],
  ['1e18', 'too_many_digits'],
  ['1e999999', 'too_many_digits'],
  [1e-300, 'too_many_digits'],
  ['0.1234567890123456789012345678901', 'too_many_digits'],
])('%j is refused as %s', (value, why) => {
  expect(read(value)).toBe(`refused: ${why}`);
});
