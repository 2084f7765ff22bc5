import { reconciliationFields } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { noon, testClock } from '../../../../testing/clock.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { setupReconciliation } from '../../../../testing/operator/reconciliation/setup-reconciliation.ts';

const { pool } = await setupDatabase();
const hour = 3_600_000_000;
const day = 24 * hour;

async function setup(reconciliation: Record<string, unknown> = {}) {
  const clock = testClock();
  const made = await setupReconciliation(pool, {
    clock: clock.now,
    brand: { time_zone: 'Europe/Malta', reconciliation },
  });
  const { brand_id } = made.brand;
  const upkeep = () => made.reconciler.upkeepOnce();
  const due = async () => {
    const { rows } = await pool.query<{ field: string; due_at: number }>(
      'select field, due_at from reconciliation_schedule where brand_id = $1 order by due_at',
      [brand_id],
    );
    return rows;
  };
  const waiting = async () => {
    const { rows } = await pool.query<{ field: string }>(
      `select field from reconciliation where brand_id = $1 and state = 'waiting' and cause = 'schedule' order by 1`,
      [brand_id],
    );
    return rows.map(({ field }) => field);
  };
  return { ...made, clock, upkeep, due, waiting };
}

test('every field is due once a night, each at its time, and requested once', async () => {
  const { clock, upkeep, due, waiting } = await setup();
  expect(await upkeep()).toMatchObject({ asked: 0 });
  const planned = await due();
  expect(planned).toHaveLength(9);
  // 02:00 to 05:00 in Malta.
  expect(planned.every(({ due_at }) => due_at >= noon + 12 * hour && due_at < noon + 15 * hour)).toBe(true);
  clock.set(planned[0]?.due_at ?? 0);
  expect(await upkeep()).toMatchObject({ asked: 1 });
  expect(await upkeep()).toMatchObject({ asked: 0 });
  expect(await waiting()).toEqual([planned[0]?.field]);
  clock.set(noon + 16 * hour);
  expect(await upkeep()).toMatchObject({ asked: 8 });
  expect(await waiting()).toEqual([...reconciliationFields].sort());
  expect((await due()).map(({ due_at }) => due_at)).toEqual(planned.map(({ due_at }) => due_at + day));
});

test('after three nights without a worker, each field is requested once; a clock that was set back delays none', async () => {
  const { clock, upkeep, due } = await setup();
  await upkeep();
  const planned = await due();
  clock.advance(3 * day + hour);
  expect(await upkeep()).toMatchObject({ asked: 9 });
  clock.set(noon);
  await upkeep();
  expect(await due()).toEqual(planned);
});

test('changed settings take effect immediately: other hours, fewer fields, off', async () => {
  const { brand, upkeep, due } = await setup({ fields: ['blocked', 'excluded'], from_hour: 20, until_hour: 21 });
  await upkeep();
  expect((await due()).every(({ due_at }) => due_at >= noon + 6 * hour && due_at < noon + 7 * hour)).toBe(true);
  brand.settings.reconciliation.from_hour = 16;
  brand.settings.reconciliation.until_hour = 17;
  await upkeep();
  expect((await due()).every(({ due_at }) => due_at >= noon + 2 * hour && due_at < noon + 3 * hour)).toBe(true);
  brand.settings.reconciliation.fields = ['excluded'];
  await upkeep();
  expect((await due()).map(({ field }) => field)).toEqual(['excluded']);
  brand.settings.reconciliation.schedule = 'off';
  await upkeep();
  expect(await due()).toEqual([]);
});

test('a failed run is requested again in the same night', async () => {
  const { clock, upkeep, due, reconciler, dial, waiting } = await setup({ fields: ['excluded'] });
  await upkeep();
  const [night] = await due();
  clock.set(night?.due_at ?? 0);
  await upkeep();
  dial({ fault: 'status', status: 503 });
  expect(await reconciler.readOnce()).toBe('failed');
  expect((await due())[0]?.due_at).toBe(clock.now() + hour / 4);
  clock.advance(hour / 4);
  expect(await upkeep()).toMatchObject({ asked: 1 });
  expect(await waiting()).toEqual(['excluded']);
  dial({ fault: 'status', status: 501 });
  expect(await reconciler.readOnce()).toBe('not_offered');
  expect((await due())[0]?.due_at).toBe((night?.due_at ?? 0) + day);
});
