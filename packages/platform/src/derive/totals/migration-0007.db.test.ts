import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { migrationsFolder } from '../../database/index.ts';

const { pool, publish, derive } = await setupStage({ lanes: 1, brand: { time_zone: 'Europe/Malta' } });

const tables = ['payment_total', 'payment_day', 'payment_brand_day', 'login_brand_day'];

async function rows(): Promise<unknown[][]> {
  const all: unknown[][] = [];
  for (const table of tables) all.push((await pool.query(`select t.* from live.${table} t order by t::text`)).rows);
  return all;
}

test('migration 0007 fills its tables from the facts with the very rows that derive keeps', async () => {
  for (let i = 0; i < 60; i++) {
    const body = paymentBody({
      ...{
        user_id: `u${i % 4}`,
        payment_id: `p${i % 17}`,
        vendor_id: `v${i % 3}`,
        amount: `${i}.50`,
        fee_amount: 0.25,
      },
      ...{ type: i % 5 === 0 ? 'Debit' : 'Credit', status: i % 7 === 0 ? 'Rollback' : 'Approved' },
      timestamp: new Date(Date.UTC(2026, 3, 30, 20, 0, i * 181)).toISOString(),
    });
    const login = { user_id: `u${i % 4}`, timestamp: body.timestamp, is_impersonated: i % 6 === 0 };
    await publish({ kind: 'payment', body }, { kind: 'login', body: login });
  }
  await derive();
  const kept = await rows();
  expect(kept.every((table) => table.length > 1)).toBe(true);
  await pool.query('drop table live.payment_brand_day, live.login_brand_day');
  await pool.query(await readFile(`${migrationsFolder}0007-totals.sql`, 'utf8'));
  expect(await rows()).toEqual(kept);
});
