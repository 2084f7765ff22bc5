import { beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole({
  segmentation_traits: { vip_level: { name: 'vip_level', unit: 'level' }, club: { name: 'club_name' } },
});
const segmentation = { vip_level: 3, hot: true, joined: '2026-05-01T10:00:00+02:00', tags: ['a', 'b'], empty: '' };
const seen = { first_seen_at: '2026-05-01T00:00:00.000000Z', last_seen_at: '2026-05-02T00:00:00.000000Z' };

beforeAll(async () => {
  await console.publish('login', { user_id: 'ann', timestamp: '2026-05-01T11:50:00Z' });
  await console.derive();
  // Stores what a look-up at the operator would have stored. operator/players/segmentation has the tests of that look-up.
  await console.pool.query(
    `insert into player_profile (player_id, segmentation, changed_at)
     select player_id, $1, now() from player where user_id = 'ann'`,
    [segmentation],
  );
  await console.pool.query(
    `insert into segmentation_key (brand_id, key, kind, sample, first_seen_at, last_seen_at)
     select $1, key, kind, sample::jsonb, $2, $3
     from (values ('vip_level', 'number', '3'), ('hot', 'boolean', 'true'), ('joined', 'timestamp', '"2026-05-01T10:00:00+02:00"'),
                  ('tags', 'other', '"[\\"a\\",\\"b\\"]"')) as s(key, kind, sample)`,
    [console.brand.brand_id, seen.first_seen_at, seen.last_seen_at],
  );
});

test('the keys of a brand are listed with their traits, including those that were mapped and never sent', async () => {
  const { status, body } = await console.get('/brands/malta/segmentation-keys', await console.as('viewer'));
  expect(status).toBe(200);
  const trait = (name: string, kind: string, unit = kind) => ({ name, kind, unit });
  expect(body).toEqual({
    items: [
      { key: 'club', mapped: true, trait: null, seen: [] },
      {
        key: 'hot',
        mapped: false,
        trait: trait('segmentation_hot', 'boolean'),
        seen: [{ kind: 'boolean', sample: true, ...seen }],
      },
      {
        key: 'joined',
        mapped: false,
        trait: trait('segmentation_joined', 'timestamp'),
        seen: [{ kind: 'timestamp', sample: '2026-05-01T10:00:00+02:00', ...seen }],
      },
      { key: 'tags', mapped: false, trait: null, seen: [{ kind: 'other', sample: '["a","b"]', ...seen }] },
      {
        key: 'vip_level',
        mapped: true,
        trait: trait('vip_level', 'number', 'level'),
        seen: [{ kind: 'number', sample: 3, ...seen }],
      },
    ],
    next: null,
  });
});

test("the keys of a brand are among a player's traits", async () => {
  const { body } = await console.get('/brands/malta/players/ann');
  expect(body.traits).toMatchObject({
    login_count: { value: 1 },
    vip_level: { value: 3, unit: 'level', as_of: expect.any(String) },
    segmentation_hot: { value: true, unit: 'boolean' },
    segmentation_joined: { value: '2026-05-01T08:00:00.000000Z', unit: 'timestamp' },
  });
  expect(Object.keys(body.traits).filter((name) => /tags|empty|club/.test(name))).toEqual([]);
});
