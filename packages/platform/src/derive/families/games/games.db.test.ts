import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import {
  casinoBody,
  type GameFields,
  gameFields,
  plainGames,
} from '../../../../testing/derive/families/games/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { setupStage } from '../../../../testing/derive/stage.ts';
import { listGames, listVendors } from './index.ts';

const stage = await setupStage();
const { pool } = stage;

const body = (fields: Partial<GameFields> & { vendor_id: string; game_id: string }) =>
  casinoBody({ timestamp: '2026-04-30T10:00:00Z', ...fields });

test('the catalog is a function of the events, whatever their order and batches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(gameFields, { minLength: 1, maxLength: 12 })
        .chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      async ([bodies, batches]) => {
        const { brand } = await createBrand(pool);
        for (const batch of batches) {
          await stage.publish(...batch.map((body) => ({ kind: 'casino' as const, body: casinoBody(body), brand })));
          await stage.derive();
        }
        const plain = plainGames(bodies);
        const games = await listGames(pool, brand.brand_id, {}, 10);
        const played = new Set(bodies.map(({ vendor_id, game_id }) => `${vendor_id} ${game_id}`));
        expect(new Set(games.map(({ vendor_id, game_id }) => `${vendor_id} ${game_id}`))).toEqual(played);
        for (const { vendor_id, game_id, name, type, vendor_name } of games) {
          expect(name).toBe(plain.get(`name ${vendor_id} ${game_id}`)?.value ?? null);
          expect(type).toBe(plain.get(`type ${vendor_id} ${game_id}`)?.value ?? null);
          expect(vendor_name).toBe(plain.get(`vendor ${vendor_id}`)?.value ?? null);
        }
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test('known values are not written again on the same day', async () => {
  const { brand } = await createBrand(pool);
  const named = { vendor_id: 'v', game_id: 'g', game_name: 'Lucky', game_type: 'slots', vendor_name: 'Vendor' };
  const publish = async ({ activity_id, ...fields }: Partial<GameFields> & { activity_id: string }) => {
    await stage.publish({ kind: 'casino', body: { ...body({ ...named, ...fields }), activity_id }, brand });
    await stage.derive();
    const { rows } = await pool.query<{ xmin: string }>(
      'select g.xmin::text || v.xmin::text as xmin from game g join vendor v using (brand_id, vendor_id) where brand_id = $1',
      [brand.brand_id],
    );
    return rows[0]?.xmin;
  };
  const written = await publish({ activity_id: '1' });
  expect(await publish({ activity_id: '2' })).toBe(written);
  expect(await publish({ activity_id: '3', timestamp: '2026-04-29T10:00:00Z', game_name: 'Older' })).toBe(written);
  expect(await publish({ activity_id: '4', timestamp: '2026-05-01T10:00:00Z', game_name: 'Renamed' })).not.toBe(
    written,
  );
  expect((await listGames(pool, brand.brand_id, {}, 10)).map(({ name }) => name)).toEqual(['Renamed']);
});

test('games are searched by id and name, page by page; payments name no vendor of games', async () => {
  const { brand } = await createBrand(pool);
  await stage.publish(
    { kind: 'casino', body: body({ vendor_id: 'a', game_id: '1', game_name: 'Lucky Lanterns' }), brand },
    { kind: 'casino', body: body({ vendor_id: 'a', game_id: '2', vendor_name: 'Example Games' }), brand },
    { kind: 'casino', body: body({ vendor_id: 'b', game_id: 'lucky-7', game_type: 'Slots' }), brand },
  );
  await stage.derive();
  const all = await listGames(pool, brand.brand_id, {}, 2);
  const rest = await listGames(pool, brand.brand_id, {}, 2, all.at(-1));
  expect([...all, ...rest].map(({ game_id }) => game_id)).toEqual(['1', '2', 'lucky-7']);
  const found = await listGames(pool, brand.brand_id, { search: 'LUCKY' }, 9);
  expect(found.map(({ game_id, vendor_name }) => [game_id, vendor_name])).toEqual([
    ['1', 'Example Games'],
    ['lucky-7', null],
  ]);
  expect((await listGames(pool, brand.brand_id, { type: 'slots' }, 9)).length).toBe(1);
  expect(await listVendors(pool, brand.brand_id, {}, 9)).toEqual([
    { vendor_id: 'a', name: 'Example Games', games: 2 },
    { vendor_id: 'b', name: null, games: 1 },
  ]);
});
