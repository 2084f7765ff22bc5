import { expect, test } from 'vitest';
import { conditionOn, readRule, withCondition } from './rule-text.ts';

test('an unfinished text is a problem, not an exception', () => {
  expect(readRule('{ "rules": [')).toMatchObject({ rule: null, problem: expect.stringContaining('JSON') });
  expect(readRule('{"rules":[]}')).toEqual({ rule: { rules: [] }, problem: null });
});

test('a first condition takes the first operator and a sample; of a fact it counts the last 7 days', () => {
  expect(conditionOn({ field: 'profile.country', kind: 'text', operators: ['=', 'in'], sample: 'MT' })).toEqual({
    field: 'profile.country',
    operator: '=',
    value: 'MT',
  });
  expect(conditionOn({ field: 'profile.country', kind: 'text', operators: ['in'], sample: 'MT' })).toHaveProperty(
    'value',
    ['MT'],
  );
  expect(conditionOn({ field: 'did.login', kind: 'fact', operators: ['atLeast'] })).toEqual({
    field: 'did.login',
    match: { mode: 'atLeast', threshold: 1 },
    within: 'P7D',
  });
});

test('a condition goes to the end of the rule, whose other parts stay', () => {
  const one = { field: 'excluded', operator: '=', value: false };
  expect(withCondition({ combinator: 'or', not: true, rules: [one] }, one)).toEqual({
    combinator: 'or',
    not: true,
    rules: [one, one],
  });
  expect(withCondition(null, one)).toEqual({ combinator: 'and', rules: [one] });
});
