import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { CampaignLane, enterPlayer, pause, readCampaigns, stop } from '../index.ts';

/*
 * A campaign whose entry cannot be evaluated fails after the round that found this. Each test changes the campaign between the round and
 * the failure.
 */
const setup = await setupCampaigns();
const { pool, brand, brands, clock, rules, leases, gate } = setup;
await setup.siteTemplate('hello', 'Hello');
const document = (code: string): Campaign => ({
  code,
  name: code,
  entry: { api: true },
  audience: { combinator: 'and', rules: [{ field: 'profile.country', operator: '=', value: 'MT' }] },
  steps: [{ id: 'hello', send: { channel: 'site', template: 'hello' } }],
});
const campaignOf = async (code: string) => {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
  if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
  return campaign;
};
const phaseOf = async (code: string) =>
  (await pool.query('select phase from campaign_active where code = $1', [code])).rows[0]?.phase;

/** Makes a round with a player whose entry into the campaign cannot be evaluated. `meanwhile` is called before the failure is stored. */
async function failEntry(code: string, meanwhile: () => Promise<void>): Promise<void> {
  await setup.campaign(document(code));
  await pool.query(
    `update campaign_version set document = replace(document::text, '"="', '"gone"')::json
      where campaign_id = (select campaign_id from campaign where code = $1)`,
    [code],
  );
  const player_id = await setup.reader(code);
  const campaign = await campaignOf(code);
  await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: code, data: {}, at: clock.now() }));
  const failures: unknown[] = [];
  let isChanged = false;
  const log = { error: (fields: unknown) => void failures.push(fields), warn: () => {}, info: () => {} } as never;
  const held = new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'connect') return typeof value === 'function' ? value.bind(target) : value;
      return async () => {
        if (failures.length > 0 && !isChanged) {
          isChanged = true;
          await meanwhile();
        }
        return target.connect();
      };
    },
  });
  const links = { link: () => 'https://crm.example/leave' };
  const signals = { poke: () => {} };
  const deps = { brands, rules, leases, gate, links, signals, clock: clock.now, log };
  await new CampaignLane({ ...deps, pool: held }).runOnce();
  expect(failures).toMatchObject([{ campaign: code, version: 1 }]);
  expect(isChanged).toBe(true);
}

test('a campaign whose entry cannot be evaluated fails; a pause does not prevent this', async () => {
  await failEntry('wrong', async () => {});
  expect(await campaignOf('wrong')).toMatchObject({ state: 'failed', reason: expect.stringContaining('gone') });
  expect(await phaseOf('wrong')).toBe('paused');
  await failEntry('paused', () => transaction(pool, async (tx) => pause(tx, await campaignOf('paused'))));
  expect(await campaignOf('paused')).toMatchObject({ state: 'failed' });
});

test('a failure does not undo a stop of the same moment', async () => {
  await failEntry('ended', () => transaction(pool, async (tx) => stop(tx, await campaignOf('ended'), setup.by())));
  expect(await campaignOf('ended')).toMatchObject({ state: 'stopped', reason: null });
  expect(await phaseOf('ended')).toBe('stopped');
});

test('a failure does not apply to a version that was published in the same moment', async () => {
  await failEntry('corrected', () => setup.republish({ ...document('corrected'), name: 'corrected now' }));
  expect(await campaignOf('corrected')).toMatchObject({ state: 'live', reason: null });
  expect(await phaseOf('corrected')).toBe('live');
});
