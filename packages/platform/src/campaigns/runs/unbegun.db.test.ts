import { afterEach, expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { transaction } from '../../database/index.ts';
import { insertRuns, lockUnbegunRuns } from './store.ts';

/* Which runs of scheduled starts begin in a round. */
const { pool } = await setupDatabase();
const limit = 20;
const at = 1_780_000_000_000_000;
afterEach(() => pool.query('delete from campaign_run'));

let players = 0;
/** Creates runs that have not begun, for players of one bucket. */
async function unbegun(campaign_id: number, count: number, bucket = 1): Promise<void> {
  const runs = Array.from({ length: count }, () => ({
    player_id: ++players * 64 + bucket,
    brand_id: 1,
    campaign_id,
    version_id: campaign_id,
    cause_key: 'start',
    cause: { type: 'api' as const, campaign_id, key: 'start', data: {}, at },
    state: 'active' as const,
    position: { step: null, wait: null, acted: false, variants: {} } as never,
    entered_at: at,
    moved_at: at,
  }));
  await transaction(pool, (tx) => insertRuns(tx, runs));
}

/** @returns the number of runs by campaign, in the order of the campaigns */
async function locked(buckets = [1], most = limit): Promise<[campaign: number, runs: number][]> {
  const rows = await transaction(pool, (tx) => lockUnbegunRuns(tx, { buckets }, most));
  expect(new Set(rows.map(({ run_id }) => run_id)).size).toBe(rows.length);
  return [...Map.groupBy(rows, ({ campaign_id }) => campaign_id)]
    .map(([campaign, own]): [number, number] => [campaign, own.length])
    .sort(([one], [other]) => one - other);
}

test('each campaign gets a share, and others use what it leaves', async () => {
  await unbegun(1, 30);
  expect(await locked()).toEqual([[1, 20]]);
  await unbegun(2, 30);
  expect(await locked()).toEqual([
    [1, 10],
    [2, 10],
  ]);
  await unbegun(3, 1);
  await unbegun(4, 3);
  expect(await locked()).toEqual([
    [1, 11],
    [2, 5],
    [3, 1],
    [4, 3],
  ]);
  expect(await locked([1], 0)).toEqual([]);
  expect(await locked([1], 100)).toEqual([
    [1, 30],
    [2, 30],
    [3, 1],
    [4, 3],
  ]);
});

test('runs of other buckets take no part of the limit', async () => {
  await unbegun(1, 30, 2);
  await unbegun(2, 30);
  expect(await locked()).toEqual([[2, 20]]);
  expect(await locked([3])).toEqual([]);
});

test('of more campaigns than the limit, each has its turn', async () => {
  for (let campaign = 1; campaign <= 25; campaign++) await unbegun(campaign, 2);
  const first = await locked();
  expect(first).toHaveLength(limit);
  const seen = new Set(first.map(([campaign]) => campaign));
  for (let round = 0; round < 100; round++) for (const [campaign] of await locked()) seen.add(campaign);
  expect(seen.size).toBe(25);
});

test('runs of single players are found in a round that repeats a part', async () => {
  await unbegun(1, 3);
  const player_id = players * 64 + 1;
  const rows = await transaction(pool, (tx) => lockUnbegunRuns(tx, { players: [player_id] }, limit));
  expect(rows).toMatchObject([{ player_id, campaign_id: 1 }]);
});
