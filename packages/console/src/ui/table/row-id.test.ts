import { expect, test } from 'vitest';
import { movedTo } from './moved-to.ts';
import { rowId } from './row-id.ts';
import { compared } from './sorting.ts';

test('a short key is the name of its row, a long one is replaced by its hash', () => {
  expect(rowId(17)).toBe('17');
  expect(rowId('1-20-3')).toBe('1-20-3');
  const long = 'entry of the timeline '.repeat(9);
  expect(rowId(long)).toMatch(/^[0-9a-z]{8,13}$/);
  expect(rowId(`${long}1`)).not.toBe(rowId(`${long}2`));
});

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowUp', 0, 0],
  ['PageDown', 95, 99],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['Enter', 50, undefined],
])('%s from row %i of 100 leads to %s', (key, from, to) => {
  expect(movedTo(key, from, 100)).toBe(to);
});

test('numbers are sorted by value, texts in the order of the language', () => {
  expect([10, 9, 100].sort(compared)).toEqual([9, 10, 100]);
  expect(['player-10', 'Ärger', 'player-9', 'apple'].sort(compared)).toEqual([
    'apple',
    'Ärger',
    'player-9',
    'player-10',
  ]);
});
