import { expect, test } from 'vitest';
import { reachedPlace } from './reached-place.ts';

const nothing = { user_id: 'ann', message_id: null, intent_id: null };

test.each(['email', 'sms', 'webhook', 'operator'])('a message by %s leads to its own page', (channel) => {
  expect(reachedPlace({ does: { channel } }, { ...nothing, message_id: 5 })).toEqual({
    to: `messages/sent/${channel}-5`,
  });
});

test('other messages lead to their rows on the page of the player, and an offer to its bonus', () => {
  const ofPlayer = (channel: string) => reachedPlace({ does: { channel } }, { ...nothing, message_id: 5 });
  expect(ofPlayer('site')).toEqual({ to: 'players/ann', search: { tab: 'messages', row: '5' } });
  expect(ofPlayer('telephone')?.search).toEqual({ tab: 'messages', 'elsewhere.row': 'telephone 5' });
  expect(reachedPlace({ does: { bonus_code: 'TEN' } }, { ...nothing, intent_id: 'b/1' })?.to).toBe(
    'rewards/intents/b%2F1',
  );
});

test('a player who got nothing has no link', () => {
  expect(reachedPlace({ does: { channel: 'email' } }, nothing)).toBeUndefined();
});
