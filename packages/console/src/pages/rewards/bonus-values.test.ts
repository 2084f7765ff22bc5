import { expect, test } from 'vitest';
import { filledValues, nextKey, valueRows } from './bonus-values.ts';

test('complete rows become values; a row that is not complete yet is left out', () => {
  const rows = valueRows({ FREE10: '10' });
  expect(nextKey(rows)).toBe(1);
  expect(nextKey([])).toBe(0);
  expect(filledValues([...rows, { key: 1, code: ' RELOAD ', value: '0.5' }, { key: 2, code: 'X', value: '' }])).toEqual(
    {
      FREE10: '10',
      RELOAD: '0.5',
    },
  );
});
