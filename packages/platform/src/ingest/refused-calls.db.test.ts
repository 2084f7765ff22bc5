import { afterEach, expect, test } from 'vitest';
import { createBrand } from '../../testing/brand.ts';
import { noon, testClock } from '../../testing/clock.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { createKey, keyHash, revokeKey } from '../brands/index.ts';
import { readRefusedCalls } from './refused-call-store.ts';
import { RefusedCalls } from './refused-calls.ts';

const { pool } = await setupDatabase();
const { brand, key } = await createBrand(pool);
const { brand: other } = await createBrand(pool);
const clock = testClock(noon);
const process = () => new RefusedCalls({ pool, clock: clock.now, log: testLog });
const list = () => readRefusedCalls(pool, brand.brand_id, clock.now());
const startOf = (given: string) => keyHash(given).toString('hex').slice(0, 8);

afterEach(async () => {
  await pool.query('truncate refused_call');
});

test('calls are counted by reason, kind and key, over all processes, and no key is stored', async () => {
  const [one, two] = [process(), process()];
  for (const calls of [one, one, two]) calls.note({ reason: 'unknown_key', kind: 'login', key: 'mistyped' });
  expect(await one.runOnce()).toEqual({ written: 1 });
  clock.advance(1_000_000);
  await two.runOnce();
  expect(await two.runOnce()).toEqual({ written: 0 });
  expect(await list()).toEqual([
    {
      reason: 'unknown_key',
      kind: 'login',
      key_name: null,
      key_start: startOf('mistyped'),
      calls: 3,
      first_at: clock.now() - 1_000_000,
      last_at: clock.now(),
    },
  ]);
  const { rows } = await pool.query('select r::text as row from refused_call r');
  expect(rows[0].row).not.toContain('mistyped');
});

test('a call belongs to the brand of its key, also of a revoked one; calls without a brand are shown to every brand', async () => {
  const calls = process();
  const revoked = await createKey(pool, brand.brand_id, 'former');
  await revokeKey(pool, brand.brand_id, revoked.api_key.api_key_id);
  calls.note({ reason: 'unknown_key', kind: 'payment', key: revoked.key });
  calls.note({ reason: 'wrong_content_type', kind: 'payment', key });
  calls.note({ reason: 'no_key', kind: 'payment', key: undefined });
  await calls.runOnce();
  const shown = (await list()).map(({ reason, key_name }) => [reason, key_name]);
  expect(shown).toHaveLength(3);
  expect(shown).toEqual(
    expect.arrayContaining([
      ['revoked_key', 'former'],
      ['wrong_content_type', 'main'],
      ['no_key', null],
    ]),
  );
  const ofOther = await readRefusedCalls(pool, other.brand_id, clock.now());
  expect(ofOther).toMatchObject([{ reason: 'no_key', key_start: null }]);
});

test('a stranger with a new key in each call causes few rows, and removes none of a brand', async () => {
  const calls = process();
  calls.note({ reason: 'body_too_large', kind: 'login', key });
  await calls.runOnce();
  for (let round = 0; round < 5; round++) {
    clock.advance(1_000_000);
    for (let n = 0; n < 200; n++) calls.note({ reason: 'unknown_key', kind: 'login', key: `guess ${round} ${n}` });
    // 30 keys, and one row for all others.
    expect(await calls.runOnce()).toEqual({ written: 31 });
  }
  const { rows } = await pool.query<{ brand_id: number | null; calls: number; key_start: string | null }>(
    'select brand_id, calls, key_start from refused_call',
  );
  expect(rows.filter(({ brand_id }) => brand_id === null)).toHaveLength(50);
  expect(rows.filter(({ brand_id }) => brand_id === brand.brand_id)).toHaveLength(1);
  expect(rows.find(({ brand_id, key_start }) => brand_id === null && key_start === null)?.calls).toBe(5 * 170);
});

test('counts that could not be written are written later', async () => {
  const calls = process();
  calls.note({ reason: 'no_key', kind: 'login', key: undefined });
  await pool.query('alter table refused_call rename to hidden');
  await expect(calls.runOnce()).rejects.toThrow();
  calls.note({ reason: 'no_key', kind: 'login', key: undefined });
  await pool.query('alter table hidden rename to refused_call');
  await calls.runOnce();
  expect(await list()).toMatchObject([{ calls: 2 }]);
});

test('while the database is unavailable, the counts of a stranger stay bounded', async () => {
  const calls = process();
  await pool.query('alter table refused_call rename to hidden');
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 100; n++) calls.note({ reason: 'unknown_key', kind: 'login', key: `guess ${round} ${n}` });
    const failing = calls.runOnce();
    for (let n = 0; n < 100; n++) calls.note({ reason: 'unknown_key', kind: 'login', key: `late guess ${round} ${n}` });
    await expect(failing).rejects.toThrow();
  }
  await pool.query('alter table hidden rename to refused_call');
  expect(await calls.runOnce()).toEqual({ written: 31 });
  expect((await list()).reduce((sum, one) => sum + one.calls, 0)).toBe(600);
});

test('calls older than a day are not shown, and the next such call starts to count again', async () => {
  const calls = process();
  const day = 24 * 3_600_000_000;
  const call = async (after: number) => {
    clock.advance(after);
    calls.note({ reason: 'no_key', kind: 'login', key: undefined });
    await calls.runOnce();
    return clock.now();
  };
  const first = await call(0);
  // As long as there is a call each day, the count continues.
  await call(day - 1);
  await call(day - 1);
  expect(await list()).toMatchObject([{ calls: 3, first_at: first }]);
  clock.advance(day);
  expect(await list()).toEqual([]);
  const again = await call(0);
  expect(await list()).toMatchObject([{ calls: 1, first_at: again, last_at: again }]);
});
