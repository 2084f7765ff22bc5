import type { EventMatcher } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { isWanted } from './wanted.ts';

test('an entry that cannot be evaluated keeps the event, so that the lane can report it', () => {
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
  expect(isWanted(news, [entry], reading)).toBe(true);
  // An older event starts nothing, and an entry for other events is not evaluated.
  expect(isWanted({ ...news, starts: false }, [entry], reading)).toBe(false);
  expect(isWanted(news, [{ ...entry, event: 'login' }], reading)).toBe(false);
});
