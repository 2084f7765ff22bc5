import { afterAll, expect, test } from 'vitest';
import { setupStage } from '../../../testing/derive/stage.ts';
import { histories } from '../../../testing/segments/fields/histories.ts';
import { openPool, transaction } from '../../database/index.ts';
import { listFields, loadPlayerViews, readBrandNames, ruleCatalog } from './index.ts';

/* Lanes load views on connections whose planner settings are for look-ups by key. Loading changes these settings for one statement. */
const { pool, url, clock, brand, publish, derive } = await setupStage();
await publish(...histories({ seed: 3, now: clock.now(), players: 12, eventsEach: 20 }));
await derive();
const catalog = ruleCatalog(brand, await readBrandNames(pool, brand));
const { rows } = await pool.query<{ player_id: number }>('select player_id from player');
const fields = listFields(catalog).map(({ name }) => name);
const asked = {
  players: rows.map(({ player_id }) => player_id),
  needs: { fields: new Set(fields), facts: new Map() },
  at: clock.now(),
};
const byKey = openPool(url, { name: 'test', byKey: true, max: 1 });
afterAll(() => byKey.end());

test('prepared statements give the same values, and leave the settings of the connection as they were', async () => {
  const { views, settings } = await transaction(byKey, async (tx) => {
    const views = await loadPlayerViews(tx, catalog, { ...asked, prepared: true });
    const { rows } = await tx.query(
      `select name, setting from pg_settings where name in ('enable_hashjoin', 'enable_nestloop') order by name`,
    );
    return { views, settings: rows };
  });
  expect(settings).toEqual([
    { name: 'enable_hashjoin', setting: 'off' },
    { name: 'enable_nestloop', setting: 'on' },
  ]);
  const plain = await loadPlayerViews(pool, catalog, asked);
  expect(views.size).toBe(asked.players.length);
  for (const [id, view] of views)
    for (const field of fields)
      expect([field, view.value(field, asked.at)]).toEqual([field, plain.get(id)?.value(field, asked.at)]);
});
