import { expect, test } from 'vitest';
import { lineDifference } from './line-difference.ts';

const signed = (former: string, latter: string) =>
  lineDifference(former, latter).map(({ sign, line }) => `${sign}${line}`);

test('common lines stay, and removed lines come before added ones', () => {
  expect(signed('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
  expect(signed('a', 'a\nb')).toEqual([' a', '+b']);
  expect(signed('a\nb', 'b')).toEqual(['-a', ' b']);
  expect(signed('a', 'a')).toEqual([' a']);
});
