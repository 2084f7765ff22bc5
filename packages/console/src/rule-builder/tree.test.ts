import { expect, test } from 'vitest';
import { type Branch, isDrawable, moved, stepped, withNodeAt, withNodeIn, withoutNodeAt } from './tree.ts';

const is = (field: string) => ({ field, operator: '=', value: true });
const all = (...rules: Branch['rules']): Branch => ({ combinator: 'and', rules });
const [a, b, c] = [is('a'), is('b'), is('c')];
const count = { field: 'did.round', match: { mode: 'atLeast', threshold: 1 }, value: all(a, b) };

test('a node is replaced, added and removed by its path, without changing the previous rule', () => {
  const rule = all(a, all(b));
  expect(withNodeAt(rule, '/rules/1/rules/0', c)).toEqual(all(a, all(c)));
  expect(withNodeIn(rule, '/rules/1', c)).toEqual(all(a, all(b, c)));
  expect(withNodeIn(rule, '', c, 0)).toEqual(all(c, a, all(b)));
  expect(withoutNodeAt(rule, '/rules/0')).toEqual(all(all(b)));
  expect(withoutNodeAt(all(count), '/rules/0/value/rules/0')).toEqual(all({ ...count, value: all(b) }));
  expect(rule).toEqual(all(a, all(b)));
});

test('a node moves to any place in its scope, and its new path is returned', () => {
  expect(moved(all(a, all(b)), '/rules/0', '/rules/1', 1)).toEqual({ rule: all(all(b, a)), path: '/rules/0/rules/1' });
  expect(moved(all(a, b, c), '/rules/2', '', 0)).toEqual({ rule: all(c, a, b), path: '/rules/0' });
});

test('a group cannot move into itself, and a condition on a fact cannot leave its count', () => {
  expect(moved(all(all(all(a))), '/rules/0', '/rules/0/rules/0', 0)).toBeUndefined();
  expect(moved(all(count), '/rules/0/value/rules/0', '', 0)).toBeUndefined();
  expect(moved(all(a, count), '/rules/0', '/rules/1/value', 0)).toBeUndefined();
});

test('stepwise moves pass into groups and out of them', () => {
  expect(stepped(all(a, b), '/rules/0', 'down')).toEqual({ rule: all(b, a), path: '/rules/1' });
  expect(stepped(all(all(b), a), '/rules/1', 'up')?.rule).toEqual(all(all(b, a)));
  expect(stepped(all(all(b, a)), '/rules/0/rules/0', 'up')?.rule).toEqual(all(b, all(a)));
  expect(stepped(all(all(b, a)), '/rules/0/rules/1', 'down')?.rule).toEqual(all(all(b), a));
  expect(stepped(all(count), '/rules/0/value/rules/1', 'up')?.rule).toEqual(all({ ...count, value: all(b, a) }));
  expect(stepped(all(count), '/rules/0/value/rules/0', 'up')).toBeUndefined();
  expect(stepped(all(a), '/rules/0', 'up')).toBeUndefined();
  expect(stepped(all(a), '/rules/0', 'down')).toBeUndefined();
});

test('a rule that is not a tree of conditions is left to the JSON view', () => {
  expect(isDrawable(all(a, all(), count))).toBe(true);
  for (const rule of [null, [], a, { combinator: 'xor', rules: [] }, all(null as never), all({ field: 'did.round' })])
    expect(isDrawable(rule)).toBe(false);
});
