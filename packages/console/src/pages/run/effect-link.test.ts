import { expect, test } from 'vitest';
import { effectLink } from './effect-link.ts';

test('a message leads to its page or to its row in the list of its channel, and a bonus to its page', () => {
  expect(effectLink({ channel: 'site', message_id: 5 }, 'ann 1')).toEqual({
    to: 'players/ann%201',
    search: { tab: 'messages', row: '5' },
  });
  expect(effectLink({ channel: 'email', message_id: 5 }, 'ann')).toEqual({ to: 'messages/sent/email-5' });
  expect(effectLink({ channel: 'telephone', message_id: 5 }, 'ann')?.search).toEqual({
    tab: 'messages',
    'elsewhere.row': 'telephone 5',
  });
  // A push is in the list of the messages of the site.
  expect(effectLink({ channel: 'push', message_id: 5 }, 'ann')?.search).toEqual({ tab: 'messages', row: '5' });
  expect(effectLink({ intent_id: 'c/1' }, 'ann')).toEqual({ to: 'rewards/intents/c%2F1' });
});

test('an effect without a page has no link, and neither has a message of an erased player', () => {
  expect(effectLink({}, 'ann')).toBeUndefined();
  expect(effectLink({ channel: 'email', message_id: 5 }, null)).toBeUndefined();
});
