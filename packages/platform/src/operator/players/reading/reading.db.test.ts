import { describe, expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { isCurrent, setupSync } from '../../../../testing/operator/setup-sync.ts';
import { mostCounted, readBacklog } from './backlog.ts';
import { describePlayer } from './player.ts';
import type { PlayerRows, SyncRow } from './player-store.ts';
import { listSyncProblems, type ProblemCursor } from './problems.ts';

const { pool } = await setupDatabase();

test('a player who was never looked up has the whole shape, with empty values', () => {
  const rows: PlayerRows = { profile: undefined, consents: [], blocks: [], sync: [], problems: [] };
  const { profile, consents, blocks, sync } = describePlayer(rows);
  expect(profile).toBeNull();
  expect(consents).toHaveLength(6);
  expect(blocks.map(({ type, active }) => [type, active])).toEqual([
    ['Excluded', null],
    ['Blocked', null],
  ]);
  expect(sync).toMatchObject({ state: 'never', last_success: null, last_error: null });
});

describe('the state of a player is the worst of the three look-ups', () => {
  const good: Omit<SyncRow, 'look_up'> = {
    player_id: 1,
    requested: 1,
    done: 1,
    claimed: false,
    due_at: null,
    attempts: 0,
    parked: false,
    as_of: 5,
    failing_since: null,
    failed_at: null,
    failure: null,
    failure_detail: null,
  };
  const failed = { failing_since: 6, failed_at: 7, failure: 'timeout', failure_detail: 'late' } as const;
  test.each<[name: string, change: Partial<SyncRow>, state: string]>([
    ['all answered', {}, 'current'],
    ['asked again', { requested: 2 }, 'refreshing'],
    ['never answered', { requested: 1, done: 0, as_of: null }, 'waiting'],
    ['failing', { requested: 2, attempts: 1, ...failed }, 'retrying'],
    ['parked', { requested: 2, attempts: 9, parked: true, ...failed }, 'details_missing'],
    ['failed once, long ago', { ...failed, failing_since: null }, 'current'],
  ])('%s', (_name, change, state) => {
    const sync: SyncRow[] = [
      { ...good, look_up: 'details', as_of: 9 },
      { ...good, look_up: 'consents', as_of: 8 },
      { ...good, look_up: 'blocks', ...change },
    ];
    const player = describePlayer({ profile: undefined, consents: [], blocks: [], problems: [], sync });
    expect(player.sync.state).toBe(state);
    expect(player.sync.last_success).toBe(change.as_of === null ? null : 5);
    expect(player.sync.last_error?.reason).toBe(change.failure ?? undefined);
  });
});

test('everything that could not be synchronized is listed with reason and age, page by page', async () => {
  const setup = await setupSync(pool);
  const { operator, brand } = setup;
  const ghost = await setup.addPlayer('ghost', { unknownToOperator: true });
  await setup.refresh(ghost, ['details']);
  await setup.until(ghost, ({ sync }) => sync.state === 'retrying');
  const ann = await setup.addPlayer('ann');
  operator.dials.set('userdetails', {
    faults: [{ fault: 'wrong_body', shape: 'missing_fields', users: ['ann'] }],
  });
  await setup.refresh(ann);
  await setup.until(ann, isCurrent);

  const items = [];
  let after: ProblemCursor | undefined;
  do {
    const page = await listSyncProblems(pool, brand.brand_id, { limit: 5, after });
    items.push(...page.items);
    after = page.next ?? undefined;
  } while (after);
  expect(items[0]).toMatchObject({
    user_id: 'ghost',
    look_up: 'details',
    path: '',
    reason: 'unknown_player',
    parked: false,
  });
  expect(items.slice(1).every(({ user_id, reason }) => user_id === 'ann' && reason === 'missing')).toBe(true);
  expect(items.length).toBeGreaterThan(10);
  expect(new Set(items.map(({ player_id, path }) => `${player_id} ${path}`)).size).toBe(items.length);
  expect(items.map(({ since }) => since)).toEqual(items.map(({ since }) => since).toSorted());
  const unknown = await listSyncProblems(pool, brand.brand_id, { limit: 5, reason: 'unknown_player' });
  expect(unknown).toMatchObject({ items: [{ player_id: ghost }], next: null });

  // A problem that persists keeps its age; one that is solved disappears.
  await setup.refresh(ann, ['details']);
  const again = await setup.until(
    ann,
    ({ sync }) => sync.state === 'current' && operator.calls.count('userdetails') > 2,
  );
  expect(again.sync.problems[0]?.since).toBe(items[1]?.since);
});

test('the backlog shows what is due, retrying and parked', async () => {
  const setup = await setupSync(pool, { started: false });
  const brandId = setup.brand.brand_id;
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, lane, due_at, parked, claim) values
       (1001, 'details', $1, 0, now() - interval '1 minute', false, null),
       (1002, 'details', $1, 0, now() + interval '20 seconds', false, 7),
       (1003, 'details', $1, 1, now() + interval '1 hour', false, null),
       (1004, 'details', $1, 1, now() + interval '1 day', true, null),
       (1005, 'details', $1, 1, null, true, null),
       (1006, 'blocks', $1, 0, null, false, null)`,
    [brandId],
  );
  expect(await readBacklog(pool, brandId)).toEqual([
    { look_up: 'details', due: 2, oldest_due_at: expect.any(Number), retrying: 1, parked: 2 },
  ]);
});

test('the backlog counts up to ten thousand, and shows the oldest due time of all rows', async () => {
  const { brand } = await createBrand(pool);
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, lane, due_at, parked)
     select 50000 + n, 'blocks', $1, abs(n % 2), now() + n * interval '1 hour', n > 11000
       from generate_series(-11000, 22000) n`,
    [brand.brand_id],
  );
  const [blocks, ...others] = await readBacklog(pool, brand.brand_id);
  expect(others).toEqual([]);
  expect(blocks).toMatchObject({ due: mostCounted, retrying: mostCounted, parked: mostCounted });
  expect(blocks?.oldest_due_at).toBeLessThan((Date.now() - 10_999 * 3_600_000) * 1000);
});
