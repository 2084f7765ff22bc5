import { expect, test } from 'vitest';
import { readRule } from './rule-text.ts';

test('an unfinished text is a problem, not an exception', () => {
  expect(readRule('{ "rules": [')).toMatchObject({ rule: null, problem: expect.stringContaining('JSON') });
  expect(readRule('{"rules":[]}')).toEqual({ rule: { rules: [] }, problem: null });
});
