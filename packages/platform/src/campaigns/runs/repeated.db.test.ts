import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { enterPlayer, readCampaigns } from '../index.ts';

const setup = await setupCampaigns();
const { pool, brand, clock, campaign, runs, lane } = setup;

async function enter(code: string, player_id: number, key: string): Promise<void> {
  const [own] = await readCampaigns(pool, brand.brand_id, { code });
  if (own === undefined) throw new Error(`there is no campaign ${code}`);
  await transaction(pool, (tx) => enterPlayer(tx, own, { player_id, key, data: {}, at: clock.now() }));
}

test.each<[string, Campaign['reentry']]>([
  ['one run at a time', { times: 'unlimited' }],
  ['at most two runs', { times: 2, while_running: true }],
  ['not before a second has passed', { after: 'PT1S' }],
])(
  'a repeated cause in the same round as a new cause does not count as a run: %s',
  async (name, reentry = { times: 1 }) => {
    const code = `repeated-${Object.entries(reentry).flat().join('-')}`.toLowerCase();
    await campaign({ code, name, entry: { api: true }, reentry, steps: [{ id: 't', tag: 'here' }] });
    const player_id = await setup.reader(code);
    await enter(code, player_id, 'a');
    await lane.runOnce();
    clock.advance(2_000_000);
    await enter(code, player_id, 'a');
    await enter(code, player_id, 'b');
    await lane.runOnce();
    expect(await runs(code)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  },
);

test('a cause that comes twice in a round counts once', async () => {
  const reentry = { times: 2, while_running: true } as const;
  await campaign({ code: 'twice', name: 'twice', entry: { api: true }, reentry, steps: [{ id: 't', tag: 'here' }] });
  const player_id = await setup.reader('dora');
  for (const key of ['a', 'a', 'b']) await enter('twice', player_id, key);
  await lane.runOnce();
  expect(await runs('twice')).toHaveLength(2);
});
