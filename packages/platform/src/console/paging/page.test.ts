import { expect, test } from 'vitest';
import { pageFromSearch } from './page.ts';

const cursors = { encode: (id: number) => `after ${id}` };
const page = (rows: number[], searched_to: number | null) =>
  pageFromSearch({ rows, searched_to }, 2, (id) => id, cursors);

test.each([
  ['a full page continues after its last row', [9, 8, 7], null, { items: [9, 8], next: 'after 8' }],
  ['rows that end with the list are the last page', [9, 8], null, { items: [9, 8], next: null }],
  ['a short page continues where the search stopped', [9], 4, { items: [9], next: 'after 4' }],
  ['a full page without a further row, too', [9, 8], 4, { items: [9, 8], next: 'after 4' }],
  ['and an empty one', [], 4, { items: [], next: 'after 4' }],
])('%s', (_name, rows, searched_to, expected) => {
  expect(page(rows, searched_to)).toEqual(expected);
});
