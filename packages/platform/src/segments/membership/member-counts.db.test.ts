import { expect, test } from 'vitest';
import { setupDatabase } from '../../../testing/database.ts';
import { countMembers } from './member-counts.ts';

const { pool } = await setupDatabase();

async function addMembers(version: number, from: number, to: number, isProtected = false): Promise<void> {
  await pool.query(
    `insert into segment_member (player_id, version_id, protected, since) select n, $1, $4, now() from generate_series($2::int, $3::int) n`,
    [version, from, to, isProtected],
  );
}

test('small versions are counted at each read; the count of a large version is reused for 10 s', async () => {
  await addMembers(1, 1, 9_990);
  await addMembers(1, 9_991, 10_000, true);
  await addMembers(2, 1, 2);
  await addMembers(2, 3, 3, true);
  const large = { members: 9_990, protected: 10 };
  expect(await countMembers(pool, [1, 2, 3], { now: 0 })).toEqual(
    new Map([
      [1, large],
      [2, { members: 2, protected: 1 }],
    ]),
  );

  await addMembers(1, 10_001, 10_001);
  await addMembers(2, 4, 4);
  const later = await countMembers(pool, [1, 2], { now: 9_999 });
  expect(later.get(1)).toEqual(large);
  expect(later.get(2)).toEqual({ members: 3, protected: 1 });
  expect((await countMembers(pool, [1], { now: 10_000 })).get(1)).toEqual({ members: 9_991, protected: 10 });
});

test('an exact count is of now, and lists reuse it', async () => {
  await addMembers(5, 1, 10_000);
  const at = (now: number, isExact = false) => countMembers(pool, [5], { now, isExact });
  expect((await at(0)).get(5)).toEqual({ members: 10_000, protected: 0 });
  await addMembers(5, 10_001, 10_001);
  expect((await at(1)).get(5)).toEqual({ members: 10_000, protected: 0 });
  const counted = { members: 10_001, protected: 0 };
  expect((await at(2, true)).get(5)).toEqual(counted);
  await addMembers(5, 10_002, 10_002);
  expect((await at(10_001)).get(5)).toEqual(counted);
});
