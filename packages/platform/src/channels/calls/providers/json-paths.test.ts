import { expect, test } from 'vitest';
import { elementsOf, pathsProblem } from './json-paths.ts';

test.each([
  [{ results: [{ id: 1 }, { id: 'b' }] }, ['results.*.id'], [['1'], ['b']]],
  [[{ id: 1 }, {}], ['*.id'], [['1'], [null]]],
  [
    { batch: 7, results: [{ id: 1 }, 'x'] },
    ['batch', 'results.*.id'],
    [
      ['7', '1'],
      ['7', null],
    ],
  ],
  [{ a: { list: [{ b: [{ c: 1 }] }] } }, ['a.list.*.b.0.c'], [['1']]],
  [{ id: 1 }, ['id', 'from'], [['1', null]]],
  [{ results: {} }, ['results.*.id'], []],
  [{ results: [] }, ['results.*.id'], []],
  ['text', ['*.id'], []],
])('%j at %j is %j', (body, paths, elements) => {
  expect(elementsOf(body, paths).map((read) => paths.map(read))).toEqual(elements);
});

test.each([
  [['results.*.id', 'status'], null],
  [['*.id', '*.status'], null],
  [['results.*.id', 'other.*.status'], 'all paths with a * must name the same list'],
  [['a.*.b.*.id'], 'a path may contain one *, and a name must follow it'],
  [['results.*'], 'a path may contain one *, and a name must follow it'],
  [['results.x*.id'], 'a * must be a whole name: results.*.id'],
])('the paths %j: %s', (paths, problem) => {
  expect(pathsProblem(paths)).toBe(problem);
});
