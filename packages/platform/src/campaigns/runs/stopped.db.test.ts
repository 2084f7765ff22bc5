import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { enterPlayer, readCampaigns, stop } from '../index.ts';

const setup = await setupCampaigns();
const { pool, brand, clock } = setup;
await setup.siteTemplate('hello', 'Hello');
const document: Campaign = {
  code: 'again',
  name: 'Again',
  entry: { api: true },
  reentry: { times: 'unlimited' },
  steps: [
    { id: 'rest', wait: { for: 'PT1H' } },
    { id: 'hello', send: { channel: 'site', template: 'hello' } },
  ],
};

test('a stopped campaign is published again only when all its runs have exited; none of them sends anything', async () => {
  await setup.campaign(document);
  const own = async () => {
    const [campaign] = await readCampaigns(pool, brand.brand_id, { code: 'again' });
    if (campaign === undefined) throw new Error('the campaign does not exist');
    return campaign;
  };
  const enter = async (userId: string) => {
    const player_id = await setup.reader(userId);
    const campaign = await own();
    await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: userId, data: {}, at: clock.now() }));
    await setup.follow();
  };
  await enter('ann');
  const campaign = await own();
  await transaction(pool, (tx) => stop(tx, campaign, { at: clock.now(), actor: 'a test' }));
  const changed = { ...document, name: 'Again, changed' };
  await expect(setup.republish(changed)).rejects.toThrow('some of its runs have not exited yet');
  await setup.follow();
  await setup.republish(changed);
  await enter('ben');
  clock.advance(3_600_000_000);
  await setup.follow();
  expect(await setup.messages()).toMatchObject([{ user_id: 'ben' }]);
});
