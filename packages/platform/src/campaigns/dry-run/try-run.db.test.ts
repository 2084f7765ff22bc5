import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { dryRun } from '../../scenarios/index.ts';
import { tagPlayers } from '../../segments/membership/index.ts';
import { readCampaigns, readVersions } from '../index.ts';

/* A dry run of a schedule: its segment decides first, as in a start. */
const setup = await setupCampaigns();
const { pool, brand, brands, rules, clock, ledger } = setup;

test('a player outside the segment of a schedule does not enter', async () => {
  await setup.segment('vips', { combinator: 'and', rules: [{ field: 'tag.vip', operator: '=', value: true }] });
  const entry = { schedule: { every: 'P1D', at: '10:00' }, to: 'vips' };
  await setup.campaign({ code: 'daily', name: 'daily', entry, steps: [{ id: 'mark', tag: 'seen' }] });
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code: 'daily' });
  const [version] = await readVersions(pool, [campaign?.campaign_id ?? 0]);
  if (version === undefined) throw new Error('the campaign has no version');
  const tried = async (user_id: string, tag?: string) => {
    const player_id = await setup.reader(user_id);
    const vip = { player_id, brand_id: brand.brand_id, tag: tag ?? '', action: 'add' as const, actor: 'staff' };
    if (tag !== undefined) await transaction(pool, (tx) => tagPlayers(tx, [vip], clock.now()));
    await setup.follow();
    const at = clock.now();
    return dryRun(
      { pool, brands, rules, ledger },
      {
        brand,
        version: { ...version, brand_id: brand.brand_id, code: 'daily' },
        share: 100,
        player: { player_id, user_id },
        at,
        until: at + 3_600_000_000,
      },
    );
  };
  expect(await tried('outside')).toMatchObject({ refusal: 'not_in_segment', timeline: [] });
  expect(await tried('inside', 'vip')).toMatchObject({ refusal: null });
});
