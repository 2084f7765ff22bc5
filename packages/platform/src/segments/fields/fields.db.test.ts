import { SqlWriter, type Value } from '@croupier/rules';
import Big from 'big.js';
import { expect, test } from 'vitest';
import { setupStage } from '../../../testing/derive/stage.ts';
import { addRecords, histories } from '../../../testing/segments/fields/histories.ts';
import { readMessageCounts } from '../../channels/index.ts';
import { readTraits, readWindow, traitCatalog, type Window } from '../../derive/index.ts';
import { listFields, loadPlayerViews, readBrandNames, ruleCatalog, sqlSource } from './index.ts';

/*
 * Reads each value in three ways: for all players in one statement, in memory, and as the console shows it
 * (readTraits).
 */
const time_zone = 'Europe/Malta';
const { pool, clock, brand, publish, derive } = await setupStage({
  brand: { time_zone, segmentation_traits: { vip_level: { name: 'vip_level', kind: 'number' } } },
});
const now = Date.parse('2026-05-01T12:30:00Z') * 1000;
clock.set(now);
await publish(...histories({ seed: 1, now, players: 25, eventsEach: 40 }));
await derive();
await addRecords(pool, { seed: 2, now, brandId: brand.brand_id });
const catalog = ruleCatalog(brand, await readBrandNames(pool, brand));
const { rows: players } = await pool.query<{
  player_id: number;
  registration_date: number | null;
  birth_date: string | null;
}>(
  `select player_id, registration_date, birth_date from player left join player_profile using (player_id) where player.brand_id = $1 order by player_id`,
  [brand.brand_id],
);

/** Makes values of PostgreSQL and values in memory comparable. */
const plain = (value: unknown): unknown =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    ? new Big(value).toFixed()
    : value;

async function inSql(names: readonly string[]): Promise<Map<number, Record<string, unknown>>> {
  const source = sqlSource(catalog);
  const values = new Map<number, Record<string, unknown>>();
  // A statement has at most 1,664 columns, and many joins take long to plan.
  for (let from = 0; from < names.length; from += 100) {
    const part = names.slice(from, from + 100);
    const writer = new SqlWriter({ at: clock.now(), zone: time_zone });
    const shown = part.map((name, i) => `${source.field(name, writer)} as v${i}`).join(', ');
    const { joins, values: parameters } = writer;
    const { rows } = await pool.query(`select p.player_id, ${shown} from player p ${joins}`, parameters);
    for (const row of rows) {
      const own = values.get(row.player_id) ?? {};
      part.forEach((name, i) => {
        own[name] = plain(row[`v${i}`]);
      });
      values.set(row.player_id, own);
    }
  }
  return values;
}

const names = [
  ...listFields(catalog).map(({ name }) => name),
  'trait.deposit_count_by_vendor.visa',
  'trait.custom_events.wheel',
  'trait.cart_last_items.n',
  'trait.message_read_count_by_campaign.c1',
  'trait.deposit_sum_3h',
  'trait.ggr_2d',
];

test('every field has the same value for all players at once and for one', async () => {
  const views = await loadPlayerViews(pool, catalog, {
    players: players.map(({ player_id }) => player_id),
    needs: { fields: new Set(names), facts: new Map() },
    at: clock.now(),
  });
  const all = await inSql(names);
  for (const { player_id } of players) {
    const view = views.get(player_id);
    const inMemory = Object.fromEntries(names.map((name) => [name, plain(view?.value(name, clock.now()) as Value)]));
    expect(inMemory).toEqual(all.get(player_id));
  }
});

test('every trait has the value that the console shows', async () => {
  const windows = ['24h', 'today', '7d', '30d', 'prev_7d'];
  const asked = traitCatalog.flatMap(({ name, kind, windows: own }) => {
    if (kind === 'breakdown') return [];
    const suffixes = own === 'lifetime' ? [] : own === 'favorite' ? ['30d', '90d'] : windows;
    return [name, ...suffixes.map((suffix) => `${name}_${suffix}`)];
  });
  const all = await inSql(asked.map((name) => `trait.${name}`));
  for (const player of players) {
    const shown = await readTraits(
      pool,
      { ...player, time_zone, messages: await readMessageCounts(pool, player.player_id) },
      clock.now(),
      windows.map((name) => readWindow(name) as Window),
    );
    const expected = Object.fromEntries(asked.map((name) => [`trait.${name}`, plain(shown[name]?.value)]));
    expect(all.get(player.player_id)).toEqual(expected);
  }
});

test('a number of the operator that PostgreSQL cannot compute with is absent, and the other players keep their values', async () => {
  const field = 'profile.segmentation.vip_level';
  const values = async () => {
    const ids = players.map(({ player_id }) => player_id);
    const needs = { fields: new Set([field]), facts: new Map() };
    const views = await loadPlayerViews(pool, catalog, { players: ids, needs, at: clock.now() });
    const all = await inSql([field]);
    return ids.map((id) => [id, all.get(id)?.[field], plain(views.get(id)?.value(field, clock.now()) as Value)]);
  };
  const before = await values();
  const { rows } = await pool.query<{ player_id: number }>(
    `update player_profile set segmentation = jsonb_build_object('vip_level', repeat('9', 140000))
      where player_id = (select min(player_id) from player_profile) returning player_id`,
  );
  expect(rows).toHaveLength(1);
  const absent = rows[0]?.player_id;
  expect(await values()).toEqual(before.map(([id, ...own]) => (id === absent ? [id, null, null] : [id, ...own])));
});
