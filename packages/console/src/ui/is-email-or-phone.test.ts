import { expect, test } from 'vitest';
import { isEmailOrPhone } from './is-email-or-phone.ts';

test.each([
  ['ann@example.com', true],
  ['ann@', true],
  ['+35699123456', true],
  [' +356 (99) 12-34/56', true],
  ['ann-1', false],
  ['35699123456', false],
  ['+', false],
  ['+1-vip', false],
  ['', false],
])('%s', (text, is) => {
  expect(isEmailOrPhone(text)).toBe(is);
});
