import { expect, test } from 'vitest';
import { type Branch, isDrawable, moved, stepped, withNodeAt, withNodeIn, withoutNodeAt } from './tree.ts';

const is = (field: string) => ({ field, operator: '=', value: true });
const all = (...rules: Branch['rules']): Branch => ({ combinator: 'and', rules });
const [a, b, c] = [is('a'), is('b'), is('c')];
const count = { field: 'did.round', match: { mode: 'atLeast', threshold: 1 }, value: all(a, b) };

test('a node is replaced, added and removed by its path, and the rule before stays as it was', () => {
  const rule = all(a, all(b));
  expect(withNodeAt(rule, '/rules/1/rules/0', c)).toEqual(all(a, all(c)));
  expect(withNodeIn(rule, '/rules/1', c)).toEqual(all(a, all(b, c)));
  expect(withNodeIn(rule, '', c, 0)).toEqual(all(c, a, all(b)));
  expect(withoutNodeAt(rule, '/rules/0')).toEqual(all(all(b)));
  expect(withoutNodeAt(all(count), '/rules/0/value/rules/0')).toEqual(all({ ...count, value: all(b) }));
  expect(rule).toEqual(all(a, all(b)));
});

test('a node moves to any place of its own scope, and its new path is known', () => {
  expect(moved(all(a, all(b)), '/rules/0', '/rules/1', 1)).toEqual({ rule: all(all(b, a)), path: '/rules/0/rules/1' });
  expect(moved(all(a, b, c), '/rules/2', '', 0)).toEqual({ rule: all(c, a, b), path: '/rules/0' });
});

test('a group does not move into itself, nor a condition on a fact out of its count', () => {
  expect(moved(all(all(all(a))), '/rules/0', '/rules/0/rules/0', 0)).toBeUndefined();
  expect(moved(all(count), '/rules/0/value/rules/0', '', 0)).toBeUndefined();
  expect(moved(all(a, count), '/rules/0', '/rules/1/value', 0)).toBeUndefined();
});

test('steps lead through groups and out of them again', () => {
  expect(stepped(all(a, b), '/rules/0', 'down')).toEqual({ rule: all(b, a), path: '/rules/1' });
  expect(stepped(all(all(b), a), '/rules/1', 'up')?.rule).toEqual(all(all(b, a)));
  expect(stepped(all(all(b, a)), '/rules/0/rules/0', 'up')?.rule).toEqual(all(b, all(a)));
  expect(stepped(all(all(b, a)), '/rules/0/rules/1', 'down')?.rule).toEqual(all(all(b), a));
  expect(stepped(all(count), '/rules/0/value/rules/1', 'up')?.rule).toEqual(all({ ...count, value: all(b, a) }));
  expect(stepped(all(count), '/rules/0/value/rules/0', 'up')).toBeUndefined();
  expect(stepped(all(a), '/rules/0', 'up')).toBeUndefined();
  expect(stepped(all(a), '/rules/0', 'down')).toBeUndefined();
});

test('what is no tree of conditions is left to the JSON view', () => {
  expect(isDrawable(all(a, all(), count))).toBe(true);
  for (const rule of [null, [], a, { combinator: 'xor', rules: [] }, all(null as never), all({ field: 'did.round' })])
    expect(isDrawable(rule)).toBe(false);
});
