import type { ClientBase } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addCounted, estimate } from './estimate.ts';
import { Look } from './look.ts';
import { PreviewsBusy, Turns } from './turns.ts';

test('a count of all players is exact', () => {
  const counted = { players: 100, holds: 7, protected: 2, without: [9, 7] };
  expect(estimate(counted, 100)).toEqual({ count: 7, protected: 2, removes: [2, 0], error: null });
});

test('a sample represents all players, with an error that shrinks as the sample grows', () => {
  const half = { players: 1_000, holds: 100, protected: 10, without: [200] };
  const small = estimate(half, 100_000);
  expect(small).toMatchObject({ count: 10_000, protected: 1_000, removes: [10_000] });
  // The upper side of Wilson's interval for a share of 10 % among 1,000 players. With 1.96 standard deviations, it would be 1,851.
  expect(small.error).toBe(2_005);
  const large = estimate(addCounted(half, half), 100_000);
  expect(large.count).toBe(10_000);
  expect(large.error).toBeLessThan(1_851);
});

test('a sample without matches does not claim that there are none', () => {
  expect(estimate({ players: 1_000, holds: 0, protected: 0, without: [] }, 100_000)).toMatchObject({
    count: 0,
    error: 379,
  });
});

test.each([0.000_5, 0.001, 0.003, 0.01, 0.1, 0.5, 0.99, 0.998])(
  'at most one of 20 samples of 1,000 with a share of %d is further away than the stated error',
  (share) => {
    const [players, total] = [1_000, 1_000_000];
    let further = 0;
    for (const [holds, probability] of binomial(players, share).entries()) {
      const { count, error } = estimate({ players, holds, protected: 0, without: [] }, total);
      if (Math.abs(count - share * total) > (error ?? 0)) further += probability;
    }
    expect(further).toBeLessThan(0.055);
  },
);

/** The probability of each possible number of matches in a sample. */
function binomial(players: number, share: number): number[] {
  let logarithm = players * Math.log(1 - share);
  return Array.from({ length: players + 1 }, (_, n) => {
    if (n > 0) logarithm += Math.log(((players - n + 1) / n) * (share / (1 - share)));
    return Math.exp(logarithm);
  });
}

test('a few previews run at once, a few wait, and others are refused; a free turn goes to the next one that waits', async () => {
  const turns = new Turns({ running: 1, waiting: 1 });
  const first = Promise.withResolvers<void>();
  const done: string[] = [];
  const one = turns.take(async () => {
    await first.promise;
    done.push('one');
  });
  const two = turns.take(async () => void done.push('two'));
  await expect(turns.take(async () => {})).rejects.toThrow(PreviewsBusy);
  first.resolve();
  await Promise.all([one, two]);
  expect(done).toEqual(['one', 'two']);
  await turns.take(async () => void done.push('three'));
  expect(done).toEqual(['one', 'two', 'three']);
});

/** Counts the players of a large brand, on a clock that only the count moves. Finding the players of a bucket takes `findMs`. */
async function countSlowly(deadline: number, { findMs, msPerPlayer }: { findMs: number; msPerPlayer: number }) {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const allowedUntil: number[] = [];
  const client = {
    query(text: string) {
      const limit = /statement_timeout = (\d+)/.exec(text);
      if (limit !== null) allowedUntil.push(now + Number(limit[1]));
      if (text.includes('count(*)')) return Promise.resolve({ rows: [{ players: 1_000_000 }] });
      if (!text.includes('select player_id')) return Promise.resolve({ rows: [] });
      now += findMs;
      return Promise.resolve({ rows: Array.from({ length: 15_000 }, (_, player_id) => ({ player_id })) });
    },
  } as unknown as ClientBase;
  const counting = {
    count: (_: ClientBase, players: readonly number[] | undefined) => {
      now += (players?.length ?? 1_000_000) * msPerPlayer;
      return Promise.resolve({ players: players?.length ?? 1_000_000 });
    },
    add: (a: { players: number }, b: { players: number }) => ({ players: a.players + b.players }),
    complete: (all: { players: number }) => all,
  };
  const { counted } = await new Look(client, 1, counting, deadline).count();
  return { players: counted.players, endedAt: now, allowedUntil };
}

test('a count ends in time, although finding the players of a large brand takes time, too', async () => {
  const { players, allowedUntil } = await countSlowly(800, { findMs: 60, msPerPlayer: 0.005 });
  expect(players).toBeGreaterThan(50_000);
  // The first limit is not included, because the first sample has a separate limit.
  expect(Math.max(...allowedUntil.slice(1))).toBeLessThanOrEqual(800);
});

test.each([0.5, 1.5, 1.9])('a count of players who take %d ms each ends in time', async (msPerPlayer) => {
  const { players, endedAt } = await countSlowly(800, { findMs: 5, msPerPlayer });
  expect(endedAt).toBeLessThanOrEqual(800);
  expect(players).toBeGreaterThan(200);
});
