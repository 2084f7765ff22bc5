import { expect, test } from 'vitest';
import { codeOf } from './code-of.ts';

test.each([
  ['Spring offer', 'spring_offer'],
  ['  Ünal’s “big” win! ', 'unal_s_big_win'],
  ['7 days -- slots', '7_days_slots'],
  ['Привет', ''],
  ['a'.repeat(80), 'a'.repeat(64)],
])('%s', (name, code) => {
  expect(codeOf(name)).toBe(code);
});
