import { expect, test } from 'vitest';
import { SealFloor } from './floor.ts';

/**
 * Runs rounds, each with the newest number, the next transaction id and the oldest open one. Returns the number at which each round has to
 * begin.
 */
function rounds(...each: [newest_id: number, next_xid: number, oldest_xid: number, completes?: boolean][]): number[] {
  const floor = new SealFloor();
  return each.map(([newest_id, next_xid, oldest_xid, completes = true]) => {
    const { after, done } = floor.begin({ newest_id, next_xid: BigInt(next_xid), oldest_xid: BigInt(oldest_xid) });
    if (completes) done();
    return after;
  });
}

test('the search begins two rounds back while no transaction stays open', () => {
  // The mark of the second round is 10. The third reaches it, and the fourth begins there.
  expect(rounds([10, 100, 100], [20, 200, 200], [30, 300, 300], [40, 400, 400], [50, 500, 500])).toEqual([
    0, 0, 0, 10, 20,
  ]);
});

test('the beginning does not move until every transaction that was open at the mark has ended', () => {
  expect(
    rounds([10, 100, 100], [20, 200, 150], [30, 300, 150], [40, 400, 199], [50, 500, 200], [60, 600, 600]),
  ).toEqual([0, 0, 0, 0, 0, 10]);
});

test('the beginning does not move after a round that left a brand to another worker', () => {
  expect(rounds([10, 100, 100], [20, 200, 200], [30, 300, 300, false], [40, 400, 400, false], [50, 500, 500])).toEqual([
    0, 0, 0, 0, 0,
  ]);
});

test('every 60 rounds, the search begins at the first decision', () => {
  const begins = rounds(...Array.from({ length: 121 }, (_, n): [number, number, number] => [n * 10, n, n]));
  expect(begins.flatMap((after, round) => (after === 0 ? [round] : []))).toEqual([0, 1, 2, 3, 60, 120]);
});
