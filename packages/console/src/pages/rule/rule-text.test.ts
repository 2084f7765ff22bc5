import { expect, test } from 'vitest';
import { readRule } from './rule-text.ts';

test('incomplete JSON is reported as a problem, not thrown', () => {
  expect(readRule('{ "rules": [')).toMatchObject({ rule: null, problem: expect.stringContaining('JSON') });
  expect(readRule('{"rules":[]}')).toEqual({ rule: { rules: [] }, problem: null });
});
