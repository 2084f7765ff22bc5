import { expect, test } from 'vitest';
import { noon } from '../../testing/clock.ts';
import { Allowance } from './allowance.ts';

const second = 1_000_000;
const rate = { burst: 3, per_second: 0.5 };

test('a burst is allowed, then as many calls as tokens are added; a refused caller learns when to retry', () => {
  const allowance = new Allowance<number>();
  const take = (at: number) => allowance.take(1, rate, noon + at * second);
  expect([take(0), take(0), take(0)]).toEqual([null, null, null]);
  expect(take(0)).toBe(2);
  expect(take(1.5)).toBe(1);
  expect(take(2)).toBeNull();
  expect(take(2)).toBe(2);
  // However much time passes, a bucket never holds more tokens than its burst.
  expect([take(1_000), take(1_000), take(1_000), take(1_000)]).toEqual([null, null, null, 2]);
  // The clock is set back, as after a correction.
  expect(take(500)).toBe(2);
  expect(take(502)).toBeNull();
});

test('each subject has its own bucket; the least recent callers are dropped', () => {
  const allowance = new Allowance<number>({ mostRemembered: 2 });
  const take = (subject: number) => allowance.take(subject, { burst: 1, per_second: 1 }, noon);
  expect([take(1), take(2)]).toEqual([null, null]);
  expect([take(1), take(2)]).toEqual([1, 1]);
  expect(take(3)).toBeNull();
  expect([take(2), take(3)]).toEqual([1, 1]);
  expect(take(1)).toBeNull();
});

test('a token that is returned can be used again, and a bucket never exceeds its burst', () => {
  const allowance = new Allowance<string>();
  const take = () => allowance.take('a', rate, noon);
  expect([take(), take(), take(), take()]).toEqual([null, null, null, 2]);
  allowance.giveBack('a', rate);
  expect([take(), take()]).toEqual([null, 2]);
  for (let i = 0; i < 5; i++) allowance.giveBack('a', rate);
  expect([take(), take(), take(), take()]).toEqual([null, null, null, 2]);
  allowance.giveBack('nobody', rate);
});
