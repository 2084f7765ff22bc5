import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { enterPlayer, readCampaigns, readResults } from '../index.ts';

/* The results of runs that moved to a version whose split has different shares. */
const setup = await setupCampaigns();
const { pool, brand, clock } = setup;

const documentOf = (share: number): Campaign => ({
  code: 'moves',
  name: 'Moves',
  entry: { api: true },
  steps: [
    {
      id: 'test',
      split: [
        { name: 'a', share, steps: [{ id: 'tag', tag: 'a' }] },
        { name: 'b', share: 100 - share },
      ],
    },
    { id: 'rest', wait: { for: 'P1D' } },
  ],
});
async function own() {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code: 'moves' });
  if (campaign === undefined) throw new Error('the campaign does not exist');
  return campaign;
}
async function enter(name: string, count: number): Promise<void> {
  const campaign = await own();
  for (let n = 0; n < count; n++) {
    const player_id = await setup.reader(`${name} ${n}`);
    await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: 'once', data: {}, at: clock.now() }));
  }
  await setup.follow();
}
const splits = async () =>
  (await readResults(pool, { campaign_id: (await own()).campaign_id, brand }, { at: clock.now() })).splits;

test('players are compared with the shares of the version whose split put them into their arms', async () => {
  await setup.campaign(documentOf(50));
  await enter('first', 80);
  await setup.republish(documentOf(95), { movesRuns: true });
  await setup.follow();
  const [moved] = await splits();
  expect(moved).toMatchObject({ version: 2, sample_ratio_mismatch: false });
  expect((moved?.arms ?? []).reduce((sum, { players }) => sum + players, 0)).toBe(80);
  await enter('second', 40);
  expect((await splits())[0]).toMatchObject({ version: 2, sample_ratio_mismatch: false });
  // Someone removes runs of one arm, so the arms no longer match the shares by which the version divided its players.
  await pool.query(
    `delete from campaign_run_step s using player p where p.player_id = s.player_id and p.user_id like 'second %' and s.variant = 'a'`,
  );
  expect((await splits())[0]).toMatchObject({ version: 2, sample_ratio_mismatch: true });
});
