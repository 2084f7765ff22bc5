import { expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { transaction } from '../../database/index.ts';
import { bucketOf, bucketOfId, playerHash } from '../../ledger/index.ts';
import { resolvePlayers } from './store.ts';

const { pool } = await setupDatabase();

test('the id of a player contains the bucket of its events, and later players have higher ids', async () => {
  const { brand } = await createBrand(pool);
  const resolve = (name: string) =>
    transaction(pool, (tx) =>
      resolvePlayers(
        tx,
        Array.from({ length: 200 }, (_, n) => {
          const user_id = `${name}${n}`;
          return { brand_id: brand.brand_id, user_id, bucket: bucketOf(playerHash(brand.brand_id, user_id)) };
        }),
      ),
    );
  const [first, second] = [await resolve('early'), await resolve('late')];
  for (const { brand_id, user_id, player_id } of [...first, ...second])
    expect([user_id, bucketOfId(player_id)]).toEqual([user_id, bucketOf(playerHash(brand_id, user_id))]);
  const ids = (players: { player_id: number }[]) => players.map(({ player_id }) => player_id);
  expect(Math.min(...ids(second))).toBeGreaterThan(Math.max(...ids(first)));
  expect(new Set([...first, ...second].map(({ player_id }) => bucketOfId(player_id))).size).toBeGreaterThan(50);
});

test('ids are safe integers of JavaScript up to 2^47 players', async () => {
  const { rows } = await pool.query<{ id: number }>('select id_in_bucket((1::bigint << 47) - 1, 63) as id');
  expect(rows[0]?.id).toBe(Number.MAX_SAFE_INTEGER);
});
