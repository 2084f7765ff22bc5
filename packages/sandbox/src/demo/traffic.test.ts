import { expect, test } from 'vitest';
import { destinations, type Message } from '../simulator/index.ts';
import { createTraffic } from './traffic.ts';

const ids = { vendor_id: 'v', game_id: 'g', round_id: '1' };
let number = 0;

function message(kind: 'casino' | 'gameround', body: object, more: Partial<Message> = {}): Message {
  number += 1;
  const text = JSON.stringify({ ...ids, ...body });
  return { number, ...destinations[kind], kind, label: 'event', user_id: 'ada', at: number, body: text, ...more };
}
const bet = { type: 'Bet', amount: 5, currency: 'EUR' };
const win = { type: 'Win', amount: 20, currency: 'EUR', is_round_end: true };
const whole = { real_bet_user: 4, bonus_bet_user: 1, real_win_user: 0, bonus_win_user: 0, user_currency: 'EUR' };

test.each<[string, Message[], object]>([
  ['a bet', [message('casino', bet)], { game: 'v g', stake: 5, win: 0, state: 'in play' }],
  [
    'two bets and a win',
    [message('casino', bet), message('casino', bet), message('casino', win)],
    { stake: 10, win: 20, state: 'won' },
  ],
  [
    'a bet, and the whole round, which names the game',
    [message('casino', bet), message('gameround', { ...whole, game_name: 'Nordlys' })],
    { game: 'Nordlys', stake: 5, win: 0, state: 'lost' },
  ],
  [
    'a bet that arrives after the whole round, which contains it',
    [message('gameround', whole), message('casino', bet)],
    { stake: 5, win: 0, state: 'lost' },
  ],
  [
    'a win that was taken back',
    [message('casino', bet), message('casino', win), message('casino', { ...win, status: 'Rollback' })],
    { stake: 5, win: 0, state: 'corrected' },
  ],
  [
    'a bet that was repeated, in conflict, and broken',
    [
      message('casino', bet),
      message('casino', bet, { label: 'retry' }),
      message('casino', bet, { label: 'conflict' }),
      message('casino', bet, { label: 'invalid', body: '{' }),
    ],
    { stake: 5, state: 'in play' },
  ],
])('a round is derived from its messages: %s', (_, messages, expected) => {
  const traffic = createTraffic();
  for (const one of messages) traffic.add(one);
  expect(traffic.rounds()).toEqual([expect.objectContaining({ user_id: 'ada', currency: 'EUR', ...expected })]);
});

test('the newest rounds and the players of the newest messages come first', () => {
  const traffic = createTraffic();
  for (const [user_id, round_id] of [
    ['ada', '1'],
    ['bob', '2'],
    ['ada', '1'],
  ] as const)
    traffic.add(message('casino', { ...bet, round_id }, { user_id }));
  for (let round_id = 10; round_id < 40; round_id++)
    traffic.add(message('casino', { ...bet, round_id }, { user_id: 'cleo' }));
  expect(traffic.activeUserIds()).toEqual(['cleo', 'ada', 'bob']);
  expect(traffic.rounds()).toHaveLength(20);
  traffic.add(message('casino', win, { user_id: 'ada' }));
  expect(traffic.rounds()[0]).toMatchObject({ user_id: 'ada', stake: 10, win: 20, state: 'won' });
});
