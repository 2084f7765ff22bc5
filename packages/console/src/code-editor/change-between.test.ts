import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeBetween } from './change-between.ts';

test('the change turns one text into the other, without their common beginning and end', () => {
  expect(changeBetween('Hello Ann!', 'Hello Bert!')).toEqual({ from: 6, to: 9, insert: 'Bert' });
  expect(changeBetween('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' });
  fc.assert(
    fc.property(fc.string(), fc.string(), (former, latter) => {
      const { from, to, insert } = changeBetween(former, latter);
      expect(former.slice(0, from) + insert + former.slice(to)).toBe(latter);
    }),
  );
});
