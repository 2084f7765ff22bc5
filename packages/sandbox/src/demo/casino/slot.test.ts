import { expect, test } from 'vitest';
import { seededRandom } from '../../random.ts';
import { games, lines, returnToPlayer, spin, stakes } from './slot.ts';

const lanterns = games[0];
if (lanterns === undefined) throw new Error('the casino has no game');

/** Returns the draws that put the given symbols on the reels, reel by reel, from top to bottom. */
function reels(...places: number[]) {
  const starts = lanterns?.odds.chances.map((_, place, chances) =>
    chances.slice(0, place).reduce((sum, chance) => sum + chance, 0),
  );
  let next = 0;
  return () => starts?.[places[next++] ?? 0] ?? 0;
}

test.each(games)('$name has a return to the player between its limits', ({ odds, symbols }) => {
  expect(odds.chances.reduce((sum, chance) => sum + chance, 0)).toBe(100);
  expect(new Set(symbols).size).toBe(7);
  expect(returnToPlayer(odds)).toBeGreaterThan(0.94);
  expect(returnToPlayer(odds)).toBeLessThan(0.97);
});

test('simulated returns match the computed ones, and all amounts are whole cents', () => {
  const random = seededRandom('slot');
  let staked = 0;
  let won = 0;
  let broken = false;
  for (let round = 0; round < 60_000; round++) {
    const stake = stakes[round % stakes.length] ?? 20;
    const result = spin(lanterns, stake, (below) => random.whole(0, below - 1));
    staked += stake;
    won += result.won;
    broken ||= !Number.isInteger(result.won);
  }
  expect(broken).toBe(false);
  expect(won / staked).toBeGreaterThan(0.85);
  expect(won / staked).toBeLessThan(1.05);
});

test.each<[string, number[], { line: number; amount: number }[]]>([
  ['three in the middle', [1, 6, 2, 3, 6, 4, 5, 6, 1], [{ line: 0, amount: 12_000 }]],
  ['three down the diagonal', [5, 1, 2, 3, 5, 4, 1, 2, 5], [{ line: 3, amount: 4_400 }]],
  ['two of the most common symbol from the left', [1, 0, 2, 3, 0, 4, 5, 6, 1], [{ line: 0, amount: 40 }]],
  ['two of another symbol', [1, 3, 2, 4, 3, 5, 5, 6, 1], []],
  ['two of the most common symbol from the right', [1, 3, 2, 4, 0, 5, 5, 0, 1], []],
])('%s', (_name, places, wins) => {
  const result = spin(lanterns, 100, reels(...places));
  expect(result.wins).toEqual(wins);
  expect(result.won).toBe(wins.reduce((sum, win) => sum + win.amount, 0));
  expect(result.rows[1]?.[0]).toBe(lanterns.symbols[places[1] ?? 0]);
  expect(lines).toHaveLength(5);
});
