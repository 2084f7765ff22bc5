import { expect, test } from 'vitest';
import { differenceOf } from './difference.ts';

const tag = (id: string, value = id) => ({ id, tag: value });
const document = (steps: object[], more: object = {}) => ({
  code: 'c',
  name: 'C',
  entry: { api: true },
  ...more,
  steps,
});
const branch = (when: object, ...steps: object[]) => ({
  id: 'who',
  branch: [{ when, steps }, { otherwise: [tag('else')] }],
});
const rule = { combinator: 'and', rules: [] };

test('parts and steps are compared: added, removed, changed and moved', () => {
  const before = document([tag('one'), tag('two'), tag('three')], { goal: { event: 'login' }, purpose: 'service' });
  const after = document([tag('one', 'other'), tag('three'), tag('two'), tag('four')], {
    goal: { event: 'payment' },
    audience: rule,
  });
  expect(differenceOf(before, after).map(({ part, step, how }) => [part ?? step, how])).toEqual([
    ['audience', 'added'],
    ['purpose', 'removed'],
    ['goal', 'changed'],
    ['one', 'changed'],
    ['three', 'moved'],
    ['two', 'moved'],
    ['four', 'added'],
  ]);
});

test('an unknown part is compared, too', () => {
  expect(differenceOf(document([]), document([], { languages: ['mt'] }))).toMatchObject([
    { part: 'languages', how: 'added' },
  ]);
});

test('a branch has changed if its own rules have changed, not if the steps in it have', () => {
  const before = document([branch(rule, tag('in'))]);
  expect(differenceOf(before, document([branch(rule, tag('in', 'other'))]))).toMatchObject([
    { step: 'in', how: 'changed' },
  ]);
  expect(differenceOf(before, document([branch({ ...rule, not: true }, tag('in'))]))).toMatchObject([
    { step: 'who', how: 'changed' },
  ]);
  expect(differenceOf(before, document([branch(rule), tag('in')]))).toMatchObject([{ step: 'in', how: 'moved' }]);
});

test('a step that moves with its branch does not count as moved, and the order of fields does not matter', () => {
  const before = document([branch(rule, tag('in')), tag('last')]);
  expect(differenceOf(before, document([tag('last'), branch(rule, tag('in'))])).map(({ step }) => step)).toEqual([
    'last',
    'who',
  ]);
  expect(differenceOf({ steps: [{ id: 'a', tag: 'a' }] }, { steps: [{ tag: 'a', id: 'a' }] })).toEqual([]);
  expect(differenceOf(before, before)).toEqual([]);
});
