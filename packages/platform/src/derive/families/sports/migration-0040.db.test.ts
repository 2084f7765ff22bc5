import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { history } from '../../../../testing/derive/families/sports/plain.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { migrationsFolder } from '../../../database/index.ts';
import { ensureBaseline } from '../../history/baseline.ts';

const { pool, publish, derive, clock } = await setupStage({ lanes: 1, brand: { time_zone: 'Europe/Malta' } });
clock.set(Date.UTC(2026, 3, 30, 8) * 1000);

async function rows(side: string): Promise<unknown[][]> {
  const all: unknown[][] = [];
  for (const table of ['bet', 'sports_total', 'sports_day']) {
    all.push((await pool.query(`select to_jsonb(t)::text as row from ${side}.${table} t order by 1`)).rows);
  }
  return all;
}

/** The tables as they were before: without the sport, and with any rows. */
async function undo(side: string): Promise<void> {
  await pool.query(`
    alter table ${side}.bet drop column sports_name;
    delete from ${side}.sports_total t using ${side}.sports_total u where t.player_id = u.player_id and t.ctid > u.ctid;
    delete from ${side}.sports_day t using ${side}.sports_day u
      where t.player_id = u.player_id and t.day = u.day and t.ctid > u.ctid;
    alter table ${side}.sports_total drop column sports_name, add primary key (player_id);
    alter table ${side}.sports_day drop column sports_name, add primary key (player_id, day)`);
}

test('migration 0040 splits the totals of both sides into the very rows that derive keeps', async () => {
  const bodies = fc
    .sample(history, { numRuns: 60, seed: 40 })
    .flatMap((own, i) =>
      own.map((body) => ({ kind: 'sports' as const, body: { ...body, user_id: `${body.user_id}${i}` } })),
    );
  await publish(...bodies);
  await derive();
  await ensureBaseline(pool);
  for (const table of ['bet', 'sports_activity', 'sports_total', 'sports_day'])
    await pool.query(`insert into baseline.${table} select * from live.${table}`);
  const kept = await rows('live');
  expect(kept.every((table) => table.length > 60)).toBe(true);
  for (const side of ['live', 'baseline']) await undo(side);
  await pool.query(await readFile(`${migrationsFolder}0040-sports.sql`, 'utf8'));
  expect(await rows('live')).toEqual(kept);
  expect(await rows('baseline')).toEqual(kept);
  // The columns of both sides are alike.
  await ensureBaseline(pool);
});
