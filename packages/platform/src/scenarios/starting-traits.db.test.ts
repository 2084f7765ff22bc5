import { expect, test } from 'vitest';
import { testVault } from '../../testing/brand.ts';
import { setupDatabase } from '../../testing/database.ts';
import { testLog } from '../../testing/log.ts';
import { runScenario } from './index.ts';

const { pool } = await setupDatabase();
const campaign = { code: 'any', name: 'Any', entry: { api: true as const }, steps: [{ id: 'vip', tag: 'vip' }] };

async function errorsOf(traits: Record<string, unknown>) {
  const scenario = { name: 'start', campaigns: [campaign], player: { traits }, steps: [{ after: 'PT1H' }] };
  const { errors = [], failures } = await runScenario({ pool, vault: testVault, log: testLog }, scenario);
  expect(failures).toHaveLength(errors.length === 0 ? 0 : 1);
  return errors.map(({ path, message }) => `${path}: ${message}`);
}

test.each<[name: string, value: unknown, message: string]>([
  ['deposits', 1, 'the trait deposits does not exist'],
  ['deposit_count', '5', 'deposit_count must be a whole number from 0'],
  ['deposit_count', -1, 'deposit_count must be a whole number from 0'],
  ['deposit_sum', 'ten', 'deposit_sum must be an amount from 0, such as "25.50"'],
  ['deposit_last_at', '2026-05-01', 'deposit_last_at must be a date-time with an offset, such as 2026-05-01T12:00:00Z'],
  ['deposit_last_at', '2027-05-01T12:00:00Z', 'deposit_last_at must not be after the start of the scenario'],
  [
    'deposit_average',
    5,
    'deposit_average has no starting value: it is computed from deposit_sum, deposit_count; set these',
  ],
  [
    'days_since_deposit',
    5,
    'days_since_deposit has no starting value: it counts days since deposit_last_at; set these',
  ],
  ['age', 30, 'age has no starting value: set profile.birth_date'],
  ['casino_favorite_game', 'g', 'casino_favorite_game has no starting value: publish events in its place'],
  ['game_session_count', 2, 'game_session_count has no starting value: publish events in its place'],
  ['deposit_last_at_7d', '2026-05-01T12:00:00Z', 'the trait deposit_last_at has no windows'],
  [
    'deposit_count_prev_7d',
    2,
    'a window before the current one cannot be set: set deposit_count_14d and deposit_count_7d',
  ],
])('the starting value %s: %j is refused with its path', async (name, value, message) => {
  expect(await errorsOf({ [name]: value })).toEqual([`/player/traits/${name}: ${message}`]);
});

test('starting values that contradict each other are refused', async () => {
  expect(await errorsOf({ deposit_count: 1, deposit_count_7d: 2 })).toEqual([
    '/player/traits/deposit_count: deposit_count must be at least deposit_count_7d, which it contains',
  ]);
  expect(await errorsOf({ deposit_last_at: '2026-05-01T12:00:00Z' })).toEqual([
    '/player/traits/deposit_last_at: deposit_last_at would have no value: it requires or contradicts other starting values, such as the count',
  ]);
  expect(await errorsOf({ deposit_count_24h: 1, deposit_count_today: 1, deposit_count_7d: 4, login_count: 2 })).toEqual(
    [],
  );
});
