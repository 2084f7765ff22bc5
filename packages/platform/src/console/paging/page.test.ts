import { expect, test } from 'vitest';
import { pageFromSearch } from './page.ts';

const cursors = { encode: (id: number) => `after ${id}` };
const page = (rows: number[], searched_to: number | null) =>
  pageFromSearch({ rows, searched_to }, 2, (id) => id, cursors);

test.each([
  ['a full page continues after its last row', [9, 8, 7], null, { items: [9, 8], next: 'after 8' }],
  ['a page with no more rows is the last page if the search has ended', [9, 8], null, { items: [9, 8], next: null }],
  ['a short page continues where the search stopped', [9], 4, { items: [9], next: 'after 4' }],
  ['a full page with no more rows continues where the search stopped', [9, 8], 4, { items: [9, 8], next: 'after 4' }],
  ['an empty page continues where the search stopped', [], 4, { items: [], next: 'after 4' }],
])('%s', (_name, rows, searched_to, expected) => {
  expect(page(rows, searched_to)).toEqual(expected);
});
