import { expect, test } from 'vitest';
import { leadingCause, type News, notLaterThan } from './cause.ts';

const event = (id: string, at: number, silent = false): News => ({
  cause: { type: 'event', id, kind: 'login', at },
  silent,
});
const time: News = { cause: { type: 'time', at: 90 }, silent: false };

test.each([
  ['an event rather than the clock', [time, event('a', 1)], event('a', 1)],
  ['a silent event rather than the clock', [time, event('a', 1, true)], event('a', 1, true)],
  ['an event that is not silent rather than a silent one', [event('a', 1), event('b', 2, true)], event('a', 1)],
  ['the latest event', [event('a', 1), event('b', 2)], event('b', 2)],
  ['the clock if there is nothing else', [time], time],
  ['undefined without news', [], undefined],
] as const)('the leading cause is %s', (_, news, leading) => {
  expect(leadingCause(news)).toEqual(leading);
  expect(leadingCause([...news].reverse())).toEqual(leading);
});

test('a cause is never later than its transition', () => {
  expect(notLaterThan(5, event('a', 9))).toEqual(event('a', 5));
  expect(notLaterThan(5, event('a', 3))).toEqual(event('a', 3));
});
