import { expect, test } from 'vitest';
import { germanListSentence } from './list-sentence.ts';

test.each([
  ['A list of 1 player.', 'Eine Liste mit 1 Spieler.'],
  ['A list of 0 players.', 'Eine Liste mit 0 Spielern.'],
  ['A list of 120 players.', 'Eine Liste mit 120 Spielern.'],
  ['The members of version 2, frozen.', 'Die Mitglieder von Version 2, eingefroren.'],
  ['', ''],
])('%s', (english, german) => {
  expect(germanListSentence(english)).toBe(german);
});
