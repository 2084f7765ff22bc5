import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { Versions } from './active-store.ts';

const { pool, brand } = await setupCampaigns();

test('versions in memory: callers get what they ask for, also if it is more than is kept', async () => {
  const count = 2_002;
  await pool.query(
    `with created as (
       insert into campaign (brand_id, code, name, state, created_at, created_by)
       select $1, 'c' || n, 'c', 'live', now(), 'a test' from generate_series(1, $2::int) n returning campaign_id)
     insert into campaign_version (campaign_id, version, state, document, created_at, created_by)
     select campaign_id, 1, 'published', '{}', now(), 'a test' from created`,
    [brand.brand_id, count],
  );
  const { rows } = await pool.query<{ version_id: number }>('select version_id from campaign_version');
  const [last = 0, ...active] = rows.map(({ version_id }) => version_id);
  const versions = new Versions({ pool });
  const inForce = await versions.load(active);
  expect((await versions.load([...active, last])).size).toBe(count);
  await versions.load([last]);
  expect(inForce.size).toBe(count - 1);
});
