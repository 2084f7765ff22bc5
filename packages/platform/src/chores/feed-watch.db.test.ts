import { expect, onTestFinished, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { FeedWatch } from './feed-watch.ts';

const { pool } = await setupDatabase();

/** A watch that measures only when the test calls it. */
function setup() {
  const feed = new FeedWatch({ pool, log: testLog });
  feed.observeLoop();
  onTestFinished(() => feed.stop());
  return feed;
}

test('after long batches of the feed, background work rests longer and reports that it is slowed', async () => {
  const feed = setup();
  for (let round = 0; round < 3; round++) {
    feed.derived(5_000);
    expect(await feed.runOnce()).toMatchObject({ batch_ms: 5_000 });
  }
  expect(feed.isSlowed).toBe(true);
  expect(feed.restMs(100)).toBeGreaterThan(300);
  expect(feed.restMs(100, 0.5)).toBe(feed.restMs(100));
  // A rest is limited, so that a stop does not have to wait for long.
  expect(feed.restMs(60_000)).toBe(2_000);
});

test('a blocked event loop and a slow database are measured', async () => {
  const feed = setup();
  await feed.runOnce();
  const began = performance.now();
  while (performance.now() - began < 200);
  const { loop_ms, database_ms } = await feed.runOnce();
  expect(loop_ms).toBeGreaterThan(100);
  expect(database_ms).toBeGreaterThan(0);
});

test('if the feed is idle, work runs without rests, or at most for the given share of the time', () => {
  const feed = setup();
  expect(feed.isSlowed).toBe(false);
  expect([feed.restMs(100), feed.restMs(100, 0.5)]).toEqual([0, 100]);
});
