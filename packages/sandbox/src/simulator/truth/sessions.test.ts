import { expect, test } from 'vitest';
import { sessionsOf, type WatchedRound } from './sessions.ts';

const minute = 60_000_000;

function round(game_id: string, from: number, to: number): WatchedRound {
  const span = { first_at: from * minute, last_at: to * minute };
  return { vendor_id: 'v', game_id, ...span, bet_count: 1, bet: 100_000_000n, win: 0n };
}

/** Returns each session as the text "game: from-to xrounds", with times in minutes. */
function sessionsFor(...rounds: readonly WatchedRound[]): string[] {
  return sessionsOf(rounds).map(({ game_id, started_at, ended_at, round_count, bet_sum }) => {
    expect(bet_sum).toBe(String(round_count));
    return `${game_id || 'play'}: ${started_at / minute}-${ended_at / minute} x${round_count}`;
  });
}

test.each<[string, WatchedRound[], string[]]>([
  [
    'a pause of exactly the gap does not end a session',
    [round('a', 0, 1), round('a', 31, 32)],
    ['a: 0-32 x2', 'play: 0-32 x2'],
  ],
  [
    'a longer pause ends the session',
    [round('a', 0, 1), round('a', 31.1, 32)],
    ['a: 0-1 x1', 'a: 31.1-32 x1', 'play: 0-1 x1', 'play: 31.1-32 x1'],
  ],
  [
    'another game does not end the game session, and the play session continues',
    [round('a', 0, 1), round('b', 20, 21), round('a', 45, 46)],
    ['a: 0-1 x1', 'a: 45-46 x1', 'b: 20-21 x1', 'play: 0-46 x3'],
  ],
  [
    'the gap is counted from the latest end so far',
    [round('a', 0, 100), round('a', 10, 11), round('a', 130, 131)],
    ['a: 0-131 x3', 'play: 0-131 x3'],
  ],
  [
    'a round of more than four hours is replaced by its two ends, and is counted at the first',
    [round('a', 0, 241), round('a', 250, 251)],
    ['a: 0-0 x1', 'a: 241-251 x1', 'play: 0-0 x1', 'play: 241-251 x1'],
  ],
  ['a round of exactly four hours counts as a whole', [round('a', 0, 240)], ['a: 0-240 x1', 'play: 0-240 x1']],
])('%s', (_what, rounds, sessions) => {
  expect(sessionsFor(...rounds)).toEqual(sessions);
  expect(sessionsFor(...rounds.toReversed()).toSorted()).toEqual(sessions.toSorted());
});
