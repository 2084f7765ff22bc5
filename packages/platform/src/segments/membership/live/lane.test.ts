import { expect, test } from 'vitest';
import { restAfter } from './lane.ts';

test.each([
  { ms: 0, isMore: false, rest: 25 },
  { ms: 150, isMore: false, rest: 25 },
  { ms: 151, isMore: false, rest: 151 },
  { ms: 400, isMore: false, rest: 400 },
  { ms: 30_000, isMore: false, rest: 400 },
  { ms: 300, isMore: true, rest: 25 },
])('after a round of $ms ms (another should follow: $isMore), the lane rests $rest ms', ({ rest, ...round }) => {
  expect(restAfter(round)).toBe(rest);
});
