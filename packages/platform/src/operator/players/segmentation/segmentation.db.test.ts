import { expect, test } from 'vitest';
import { setupDatabase } from '../../../../testing/database.ts';
import { isCurrent, setupSync } from '../../../../testing/operator/setup-sync.ts';
import { noteSegmentation, readSegmentationKeys, readSegmentationTraits } from './catalog.ts';
import { readKeys } from './key-store.ts';

const { pool } = await setupDatabase();

test('segmentation keys become traits, with one kind for all players', async () => {
  const segmentation_traits = { vip_level: { name: 'vip_level', unit: 'level' } };
  const { brand, operator, addPlayer, refresh, until } = await setupSync(pool, { settings: {} });
  const settings = { ...brand.settings, segmentation_traits };
  const lookUp = async (user: string, segmentation: Record<string, string | number | boolean>) => {
    const player = await addPlayer(user);
    operator.books.change(user, { details: { segmentation } });
    await refresh(player);
    return (await until(player, isCurrent)).profile?.segmentation ?? {};
  };
  const traitsOf = (of: Record<string, unknown>) => readSegmentationTraits(pool, { ...brand, settings }, of);

  const ann = await lookUp('ann', { vip_level: 3, group: 7, joined: '2026-05-01T10:00:00Z', hot: true });
  expect(await traitsOf(ann)).toEqual({
    vip_level: { value: 3, kind: 'number', unit: 'level' },
    segmentation_group: { value: 7, kind: 'number', unit: 'number' },
    segmentation_joined: { value: Date.UTC(2026, 4, 1, 10) * 1000, kind: 'timestamp', unit: 'timestamp' },
    segmentation_hot: { value: true, kind: 'boolean', unit: 'boolean' },
  });

  const bob = await lookUp('bob', { vip_level: 4, group: 'gold' });
  expect(await traitsOf(bob)).toMatchObject({ segmentation_group: { value: 'gold', kind: 'text' } });
  // Ann's number is now text, too.
  expect(await traitsOf(ann)).toMatchObject({ segmentation_group: { value: '7', kind: 'text' } });

  const keys = await readSegmentationKeys(pool, { ...brand, settings });
  expect(keys.map(({ key, seen }) => [key, seen.map(({ kind, sample }) => [kind, sample])])).toEqual([
    [
      'group',
      [
        ['number', 7],
        ['text', 'gold'],
      ],
    ],
    ['hot', [['boolean', true]]],
    ['joined', [['timestamp', '2026-05-01T10:00:00Z']]],
    ['vip_level', [['number', 3]]],
  ]);
});

test('a known key is not written again within a day', async () => {
  const brandId = 7_000_001;
  const hour = 3_600_000_000;
  const start = Date.UTC(2026, 4, 1) * 1000;
  const client = await pool.connect();
  const note = (value: unknown, at: number) =>
    noteSegmentation(client, [{ brand_id: brandId, segmentation: { vip: value }, at }]);
  const version = async () => {
    const { rows } = await client.query<{ xmin: string }>('select xmin from segmentation_key where brand_id = $1', [
      brandId,
    ]);
    return rows.map(({ xmin }) => xmin).join();
  };
  await note(1, start);
  const first = await version();
  await note(2, start + 23 * hour);
  expect(await version()).toBe(first);
  await note(3, start + 25 * hour);
  // A look-up that was requested earlier and arrived later does not move the time back.
  await note(4, start + hour);
  client.release();
  expect(await readKeys(pool, [brandId])).toEqual([
    { brand_id: brandId, key: 'vip', kind: 'number', sample: 1, first_seen_at: start, last_seen_at: start + 25 * hour },
  ]);
});
