import { expect, test } from 'vitest';
import { durationText } from './values.tsx';

test.each([
  [0, '0 sec'],
  [59.4, '59 sec'],
  [60, '1 min'],
  [4_800, '1 hr 20 min'],
  [90_000, '1 day 1 hr'],
  [86_400, '1 day'],
])('%s seconds are %s', (seconds, text) => {
  expect(durationText(seconds, 'en')).toBe(text);
});
