import { expect, test } from 'vitest';
import { IdlePolls } from './idle-polls.ts';

test('a poll checks for work first only if the last round found nothing and no work was announced since', () => {
  const polls = new IdlePolls();
  expect(polls.asks()).toBe(false);
  polls.ended({ isIdle: true });
  expect(polls.asks()).toBe(true);
  polls.ended({ isIdle: true });
  polls.wake();
  expect(polls.asks()).toBe(false);
  polls.ended({ isIdle: false });
  expect(polls.asks()).toBe(false);
  polls.ended({ isIdle: true });
  expect(polls.asks()).toBe(true);
  // This round failed, so it has no end.
  expect(polls.asks()).toBe(false);
});

test('work that is announced during a round that finds nothing is looked for', () => {
  const polls = new IdlePolls();
  polls.asks();
  polls.wake();
  polls.ended({ isIdle: true });
  expect(polls.asks()).toBe(false);
});
