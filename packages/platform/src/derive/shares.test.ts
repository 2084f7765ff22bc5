import { describe, expect, test } from 'vitest';
import { BucketShares } from './shares.ts';

const owned = [0, 1, 2, 3, 5];

function setup() {
  const told = { times: 0 };
  const shares = new BucketShares(2, () => void told.times++);
  const take = (lane: number) => [...shares.take(lane, owned)];
  return { shares, take, told };
}

describe('shares of the lanes', () => {
  test('the first lane takes all buckets while the backlog is small', () => {
    const { shares, take, told } = setup();
    expect([take(0), take(1)]).toEqual([owned, []]);
    shares.done(0, 499);
    expect([take(0), take(1), told.times]).toEqual([owned, [], 0]);
  });

  test('each lane takes its own buckets while the backlog is large, and the others are notified', () => {
    const { shares, take, told } = setup();
    take(0);
    shares.done(0, 500);
    expect(told.times).toBe(1);
    expect([take(0), take(1)]).toEqual([
      [0, 2],
      [1, 3, 5],
    ]);
    shares.done(0, 100);
    shares.done(1, 100);
    expect([take(0), take(1)]).toEqual([
      [0, 2],
      [1, 3, 5],
    ]);
  });

  test('a bucket that a lane holds is taken by no other lane, and the first lane is notified when it is free', () => {
    const { shares, take, told } = setup();
    take(0);
    shares.done(0, 500);
    take(0);
    take(1);
    shares.done(1, 0);
    take(1);
    shares.done(0, 199);
    expect(take(0)).toEqual([0, 2]);
    expect(told.times).toBe(1);
    shares.done(1, 0);
    expect(told.times).toBe(2);
    expect([take(0), take(1)]).toEqual([owned, []]);
  });

  test('after a failed step, the lane keeps its buckets until it takes buckets again', () => {
    const { shares, take, told } = setup();
    take(0);
    shares.done(0, 500);
    take(0);
    take(1);
    shares.done(1, 0);
    take(1);
    shares.done(0, 0);
    expect([...shares.inHand(1)]).toEqual([1, 3, 5]);
    expect(take(0)).toEqual([0, 2]);
    expect([take(1), told.times]).toEqual([[], 2]);
    expect(take(0)).toEqual(owned);
  });
});
