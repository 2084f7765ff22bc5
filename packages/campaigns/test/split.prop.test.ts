import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { armOf } from '../src/split.ts';

const players = Array.from({ length: 2_000 }, (_, n) => `campaign player-${n} step`);
const arms = (shares: Record<string, number>) => Object.entries(shares).map(([name, share]) => ({ name, share }));
const armsOf = (shares: Record<string, number>) => players.map((seed) => armOf(arms(shares), seed)?.name ?? '');
/** Moves as "from to", with their counts. */
function moves(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const [from, to] = [armsOf(before), armsOf(after)];
  const found: Record<string, number> = {};
  for (const [place, name] of from.entries())
    if (to[place] !== name) found[`${name} ${to[place]}`] = (found[`${name} ${to[place]}`] ?? 0) + 1;
  return found;
}

describe('a player stays in an arm', () => {
  test('when the first arm grows at the cost of the others, players only move into it', () => {
    const found = moves({ control: 10, a: 45, b: 45 }, { control: 20, a: 40, b: 40 });
    expect(Object.keys(found).sort()).toEqual(['a control', 'b control']);
  });

  test('when one arm grows at the cost of another, a third arm gains players only from the shrinking arm and loses players only to the growing arm', () => {
    const found = moves({ a: 30, b: 40, c: 30 }, { a: 40, b: 30, c: 30 });
    for (const way of Object.keys(found)) expect(['b a', 'b c', 'c a']).toContain(way);
  });

  const share = fc.integer({ min: 0, max: 100 });
  const shares = fc
    .record({ a: share, b: share, c: share, d: share })
    .filter((all) => Object.values(all).some((one) => one > 0));
  const player = fc.string({ minLength: 1 });

  test('a player only moves to an arm that grew relative to its own', () => {
    fc.assert(
      fc.property(shares, shares, player, (before, after, seed) => {
        const from = armOf(arms(before), seed)?.name as keyof typeof before;
        const to = armOf(arms(after), seed)?.name as keyof typeof before;
        if (from !== to) expect(after[to] * before[from]).toBeGreaterThan(before[to] * after[from]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the result does not depend on the order of the arms or the unit of their shares', () => {
    fc.assert(
      fc.property(shares, player, fc.integer({ min: 1, max: 7 }), (given, seed, times) => {
        const own = armOf(arms(given), seed)?.name;
        expect(armOf(arms(given).toReversed(), seed)?.name).toBe(own);
        const scaled = arms(given).map(({ name, share: one }) => ({ name, share: one * times }));
        expect(armOf(scaled, seed)?.name).toBe(own);
      }),
    );
  });
});

test('each arm gets its share; an arm with 0 percent gets no players', () => {
  const found = armsOf({ none: 0, control: 10, a: 30, b: 60 });
  const of = (name: string) => found.filter((one) => one === name).length / players.length;
  expect(of('none')).toBe(0);
  // Within four standard deviations.
  for (const [name, part] of [
    ['control', 0.1],
    ['a', 0.3],
    ['b', 0.6],
  ] as const)
    expect(Math.abs(of(name) - part)).toBeLessThan(4 * Math.sqrt((part * (1 - part)) / players.length));
});
