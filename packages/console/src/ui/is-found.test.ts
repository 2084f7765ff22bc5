import { expect, test } from 'vitest';
import { isFound } from './is-found.ts';

test.each([
  [undefined, true],
  ['', true],
  [' ', true],
  ['welc', true],
  ['WELCOME', true],
  ['back welcome', true],
  ['wb-1', true],
  ['uber', true],
  ['welcome vip', false],
])('%j finds "Welcome back, über" (wb-1): %s', (search, found) => {
  expect(isFound(search, 'Welcome back, über', 'wb-1')).toBe(found);
});
