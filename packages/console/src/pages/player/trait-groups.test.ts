import { expect, test } from 'vitest';
import { groupsOf, measuresOf } from './trait-groups.ts';

const catalog = [
  { name: 'registered_at', chapter: 'Player' },
  { name: 'deposit_count', chapter: 'Payments' },
  { name: 'deposit_sum', chapter: 'Payments' },
  { name: 'deposit_last_at', chapter: 'Payments' },
  { name: 'deposit_favorite_vendor', chapter: 'Payments' },
];
const every = (name: string) => [
  name,
  ...['24h', 'today', '7d', '30d', 'prev_7d'].map((window) => `${name}_${window}`),
];
const favorite = ['deposit_favorite_vendor', 'deposit_favorite_vendor_30d', 'deposit_favorite_vendor_90d'];
const groups = (names: readonly string[]) =>
  groupsOf(measuresOf(names, catalog)).map(({ chapter, matrices, single }) => ({
    chapter,
    matrices: matrices.map(({ windows, measures }) => ({ windows, measures: measures.map(({ name }) => name) })),
    single: single.map(({ name }) => name),
  }));

test('traits are grouped by chapter; those with the same windows are one matrix, from the shortest window to the lifetime', () => {
  const names = ['registered_at', ...every('deposit_count'), ...every('deposit_sum'), 'deposit_last_at', ...favorite];
  expect(groups(names)).toEqual([
    { chapter: 'Player', matrices: [], single: ['registered_at'] },
    {
      chapter: 'Payments',
      matrices: [
        { windows: ['today', '24h', '7d', 'prev_7d', '30d', ''], measures: ['deposit_count', 'deposit_sum'] },
        { windows: ['30d', '90d', ''], measures: ['deposit_favorite_vendor'] },
      ],
      single: ['deposit_last_at'],
    },
  ]);
});

test('a measure knows the full name of each of its traits', () => {
  const [measure] = measuresOf(every('deposit_sum'), catalog);
  expect(measure?.names.get('prev_7d')).toBe('deposit_sum_prev_7d');
  expect(measure?.names.get('')).toBe('deposit_sum');
});

test("the operator's own traits come under a heading of their own, also those that end like a window", () => {
  expect(groups(['deposit_last_at', 'vip_level', 'points_30d', 'points'])).toEqual([
    { chapter: 'Payments', matrices: [], single: ['deposit_last_at'] },
    { chapter: "The operator's own", matrices: [], single: ['vip_level', 'points_30d', 'points'] },
  ]);
});

test('a trait that was read without its lifetime value has no column for all time', () => {
  expect(groups(['deposit_sum_7d', 'deposit_sum_today'])).toEqual([
    { chapter: 'Payments', matrices: [{ windows: ['today', '7d'], measures: ['deposit_sum'] }], single: [] },
  ]);
});
