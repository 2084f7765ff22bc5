import { expect, test } from 'vitest';
import { mergeHead, type RowNames, withoutRepeats } from './merge-head.ts';

interface Row {
  id: number;
  state: string;
}

const row = (id: number, state = 'old'): Row => ({ id, state });
const keyOf = ({ id }: Row) => id;

test('rows keep their places: changed rows are updated, new ones counted, missing ones removed', () => {
  const shown = [row(5), row(4), row(3), row(2), row(1)];
  const head = { items: [row(7), row(6), row(5, 'new'), row(3)], next: 'more' };
  expect(mergeHead(shown, head, { keyOf })).toEqual({
    rows: [row(5, 'new'), row(3), row(2), row(1)],
    fresh: 2,
    isMore: false,
  });
});

test('rows beyond the first page stay, unless there is no second page', () => {
  const shown = [row(3), row(2), row(1)];
  expect(mergeHead(shown, { items: [row(3)], next: 'more' }, { keyOf }).rows).toEqual(shown);
  expect(mergeHead(shown, { items: [row(3)], next: null }, { keyOf }).rows).toEqual([row(3)]);
  expect(mergeHead(shown, { items: [], next: null }, { keyOf })).toEqual({ rows: [], fresh: 0, isMore: false });
});

test('if the whole first page is new, there may be more new rows, and nothing is dropped', () => {
  const head = { items: [row(9), row(8)], next: 'more' };
  expect(mergeHead([row(2), row(1)], head, { keyOf })).toEqual({ rows: [row(2), row(1)], fresh: 2, isMore: true });
  expect(mergeHead([], head, { keyOf })).toEqual({ rows: [], fresh: 2, isMore: false });
});

test('the shown rows stay until the current first page is loaded', () => {
  expect(mergeHead([row(1)], undefined, { keyOf })).toEqual({ rows: [row(1)], fresh: 0, isMore: false });
});

test('a row that a later page repeats is shown once, at its first place', () => {
  expect(withoutRepeats([row(2), row(1), row(2), row(0)], keyOf)).toEqual([row(2), row(1), row(0)]);
});

test('rows that a change moves to the top stay in place, and are counted as new', () => {
  const of = (id: number, at: number) => ({ id, at });
  const names: RowNames<ReturnType<typeof of>> = { keyOf: ({ id }) => id, newsOf: ({ at }) => at };
  const shown = [of(3, 30), of(2, 20), of(1, 10)];
  const head = { items: [of(1, 40), of(3, 30)], next: 'more' };
  expect(mergeHead(shown, head, names)).toEqual({ rows: [of(3, 30), of(2, 20), of(1, 40)], fresh: 1, isMore: false });
});
