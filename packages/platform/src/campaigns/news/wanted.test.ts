import type { EventMatcher } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { isWanted } from './wanted.ts';

test('a condition that cannot be evaluated keeps the event, so that the lane can report it', () => {
  const news = {
    type: 'event' as const,
    id: '1',
    key: 'payment 1',
    kind: 'payment',
    at: 0,
    received_at: 0,
    row: { at: 0, amount: '1' },
    starts: true,
  };
  const entry: EventMatcher = {
    event: 'payment',
    where: { combinator: 'and', rules: [{ field: 'amount', operator: '>=', value: 500 }] },
  };
  const broken = {
    fact: () => {
      throw new Error('the fields are not known');
    },
  };
  const reading = { catalog: broken as never, zone: 'UTC' };
  expect(isWanted(news, { entries: [entry], awaited: [] }, reading)).toBe(true);
  expect(isWanted(news, { entries: [], awaited: [entry] }, reading)).toBe(true);
  // An older event starts nothing, but it can end a wait. A condition on other events is not evaluated.
  const older = { ...news, starts: false };
  expect(isWanted(older, { entries: [entry], awaited: [] }, reading)).toBe(false);
  expect(isWanted(older, { entries: [], awaited: [entry] }, reading)).toBe(true);
  const ofLogins = { ...entry, event: 'login' };
  expect(isWanted(news, { entries: [ofLogins], awaited: [ofLogins] }, reading)).toBe(false);
});
