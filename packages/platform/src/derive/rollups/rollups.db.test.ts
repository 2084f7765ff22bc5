import { expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { rebuild } from '../rebuild/index.ts';
import { readRollups, rollupDifferences } from './index.ts';

const stage = await setupStage({ brand: { time_zone: 'Europe/Malta' } });
const { pool, clock, brand, brands, ledger, history, publish, derive } = stage;
const today = { first: '2026-05-01', last: '2026-05-01' };

const deposit = (user_id: string, payment_id: string, fields: Record<string, unknown> = {}) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: '2026-05-01T10:00:00Z', ...fields }),
});

async function payments() {
  const [day] = await readRollups(pool, brand.brand_id, today, 'payment');
  return [day?.players.payment, day?.figures.deposit_count, day?.figures.deposit_sum];
}

test('the sum of a day is exact if buckets change workers, whichever worker wrote which row', async () => {
  await publish(deposit('a', '1'), deposit('b', '1'), deposit('a', '2', { vendor_id: 'v2' }));
  await derive();
  expect(await payments()).toEqual([2, 3, '30']);
  // Another worker does the same under another source. Rows of one source may become negative.
  await pool.query(`update live.payment_brand_day set source = 63`);
  await publish(deposit('a', '1', { status: 'Rollback', timestamp: '2026-05-01T11:00:00Z' }));
  await publish(deposit('b', '1', { status: 'Rollback', timestamp: '2026-05-01T11:00:00Z' }));
  await derive();
  expect(await payments()).toEqual([1, 1, '10']);
  const { rows } = await pool.query('select players, deposit_count from live.payment_brand_day order by source');
  expect(rows).toEqual([
    { players: -1, deposit_count: -2 },
    { players: 2, deposit_count: 3 },
  ]);
  expect(await rollupDifferences(pool, null)).toEqual([]);
});

test('registrations of a day: each player counts once, on the day of the earliest registration', async () => {
  const registration = (user_id: string, timestamp: string) => {
    return { kind: 'registration' as const, body: { user_id, timestamp } };
  };
  await publish(
    registration('r1', '2026-05-01T10:00:00Z'),
    registration('r1', '2026-05-01T11:00:00Z'),
    registration('r2', '2026-05-01T21:59:59Z'),
    registration('r3', '2026-05-01T22:00:00Z'),
  );
  await derive();
  const registered = async () => {
    const days = await readRollups(pool, brand.brand_id, { first: '2026-04-30', last: '2026-05-02' }, 'registration');
    return days.map(({ players, figures }) => [players.registration, figures.registration_count]);
  };
  expect(await registered()).toEqual([
    [1, 1],
    [2, 2],
    [0, 0],
  ]);
  await publish(registration('r1', '2026-04-30T10:00:00Z'));
  await derive();
  expect(await registered()).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(await rollupDifferences(pool, null)).toEqual([]);
});

test('days and brands are separate, and days without events are zero', async () => {
  const { brand: other } = await createBrand(pool, { time_zone: 'UTC' });
  await publish({ ...deposit('a', '1'), brand: other });
  await derive();
  const days = await readRollups(pool, other.brand_id, { first: '2026-04-30', last: '2026-05-01' });
  expect(days.map(({ day, players, figures }) => [day, players.payment, figures.deposit_sum, figures.ngr])).toEqual([
    ['2026-05-01', 1, '10', '0'],
    ['2026-04-30', 0, '0', '0'],
  ]);
  expect(await payments()).toEqual([1, 1, '10']);
});

test("a rebuild that replaces players' rows also corrects the roll-ups", async () => {
  await pool.query(`update live.payment_day set deposit_count = deposit_count + 5, deposit_sum = 1`);
  expect((await rollupDifferences(pool, brand.brand_id)).map(({ table, day }) => [table, day])).toEqual([
    ['payment_brand_day', '2026-05-01'],
  ]);
  // Simulates a fault: rows and roll-up are both wrong.
  await pool.query(
    `update live.payment_brand_day set deposit_count = deposit_count + 5, deposit_sum = -9 where source = 63`,
  );
  await pool.query(`update live.payment_brand_day set deposit_sum = 10 where source < 63`);
  expect(await rollupDifferences(pool, brand.brand_id)).toEqual([]);
  const options = { pool, ledger, history, brands, log: testLog, clock: clock.now };
  const scope = { of: 'brand', brand_id: brand.brand_id } as const;
  expect(await rebuild({ ...options, scope, swap: true })).toMatchObject({ difference_count: 1, swapped: 1 });
  expect(await payments()).toEqual([1, 1, '10']);
  expect(await rollupDifferences(pool, brand.brand_id)).toEqual([]);
});
