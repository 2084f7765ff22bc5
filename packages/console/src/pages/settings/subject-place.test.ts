import { expect, test } from 'vitest';
import { subjectPlace } from './subject-place.ts';

const none = { userId: null, message: null };

test('a message leads to its page, or to its row on the page of its player', () => {
  const of = (channel: string, user_id: string | null = 'ann 1') =>
    subjectPlace('message', '5', { userId: null, message: { channel, user_id } });
  expect(of('email')).toEqual({ to: 'messages/sent/email-5' });
  expect(of('push')).toEqual({ to: 'players/ann%201', search: { tab: 'messages', row: '5' } });
  expect(of('telephone')).toEqual({
    to: 'players/ann%201',
    search: { tab: 'messages', 'elsewhere.row': 'telephone 5' },
  });
  expect(of('email', null)).toEqual({ to: 'messages/sent/email-5' });
});

test('a deleted message has no link, and neither has a message on the page of an erased player', () => {
  expect(subjectPlace('message', '5', none)).toBeUndefined();
  expect(subjectPlace('message', '5', { userId: null, message: { channel: 'site', user_id: null } })).toBeUndefined();
});

test('a budget leads to its row, also after it was closed', () => {
  expect(subjectPlace('budget', '3', none)).toEqual({ to: 'rewards/budgets', search: { closed: 'true', row: '3' } });
});

test('other subjects lead to their pages, if they have one', () => {
  expect(subjectPlace('campaign', 'a/b', none)).toEqual({ to: 'campaigns/a%2Fb' });
  expect(subjectPlace('player', '64', { userId: 'ann', message: null })).toEqual({ to: 'players/ann' });
  // The player was erased.
  expect(subjectPlace('player', '64', none)).toBeUndefined();
  expect(subjectPlace('constructor', '1', none)).toBeUndefined();
});
