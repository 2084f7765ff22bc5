import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { transaction } from '../../database/index.ts';
import { enterPlayer, pause, readCampaigns, resume, stop } from '../index.ts';

/* Runs of one campaign do not wait until a backlog of another campaign is processed: their campaign gets a share of each round. */
const setup = await setupCampaigns();
const { pool, brand, clock, lane, runs, follow, by } = setup;
const hour = 3_600_000_000;
const player_id = await setup.reader('ann');

const documentOf = (code: string): Campaign => ({
  code,
  name: code,
  entry: { api: true },
  steps: [
    { id: 'rest', wait: { for: 'PT1H' } },
    { id: 'mark', tag: 'x' },
  ],
});
async function campaignOf(code: string) {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
  if (campaign === undefined) throw new Error(`there is no campaign ${code}`);
  return campaign;
}
const change = (code: string, work: typeof resume) =>
  transaction(pool, async (tx) => work(tx, await campaignOf(code), by()));
async function begin(code: string): Promise<void> {
  await setup.campaign(documentOf(code));
  const campaign = await campaignOf(code);
  await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: code, data: {}, at: clock.now() }));
  await follow();
}
/** Copies the run of a campaign, so that the campaign has many runs in the same position. */
const copy = async (code: string, times: number) =>
  pool.query(
    `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, reason, position, due_at, entered_at, moved_at)
     select player_id, brand_id, campaign_id, version_id, 'copy ' || n, cause, state, reason, position, due_at, entered_at, moved_at
       from campaign_run cross join generate_series(1, $2::int) n where campaign_id = $1`,
    [(await campaignOf(code)).campaign_id, times],
  );
const states = async (code: string) => (await runs(code)).map(({ state }) => state);
const countOf = async (code: string, state: string) => (await states(code)).filter((one) => one === state).length;
const forgetRuns = () => pool.query('delete from campaign_run');

test('a due run moves in the first round, although 1,200 runs of another campaign are due earlier', async () => {
  await begin('due_large');
  await copy('due_large', 1_199);
  clock.advance(1);
  await begin('due_small');
  clock.advance(hour);
  await lane.runOnce();
  expect(await states('due_small')).toEqual(['done']);
  // The round is full: the large campaign gets what is left.
  expect(await countOf('due_large', 'done')).toBe(499);
  await follow();
  expect(await countOf('due_large', 'done')).toBe(1_200);
  await forgetRuns();
});

test('a held run continues in the first round after a resume, although 100 runs of another campaign do, too', async () => {
  for (const code of ['paused_large', 'paused_small']) {
    await begin(code);
    await change(code, pause);
    clock.advance(hour);
    await follow();
    expect(await states(code)).toEqual(['held']);
  }
  await copy('paused_large', 99);
  for (const code of ['paused_large', 'paused_small']) await change(code, resume);
  await lane.runOnce();
  expect(await states('paused_small')).toEqual(['done']);
  expect(await countOf('paused_large', 'held')).toBeGreaterThan(0);
  await follow();
  expect(await countOf('paused_large', 'done')).toBe(100);
  await forgetRuns();
});

test('a run of a stopped campaign exits in the first round, although 1,200 runs of another campaign have to exit', async () => {
  for (const code of ['stopped_large', 'stopped_small']) await begin(code);
  await copy('stopped_large', 1_199);
  for (const code of ['stopped_large', 'stopped_small']) await change(code, stop);
  await lane.runOnce();
  expect(await states('stopped_small')).toEqual(['exited']);
  expect(await countOf('stopped_large', 'exited')).toBe(499);
  await forgetRuns();
});

test('a run moves to a new version in the first round, although 300 runs of another campaign do, too', async () => {
  for (const code of ['moving_large', 'moving_small']) await begin(code);
  await copy('moving_large', 299);
  for (const code of ['moving_large', 'moving_small'])
    await setup.republish({ ...documentOf(code), name: 'another' }, { movesRuns: true });
  await lane.runOnce();
  const moved = async (code: string) =>
    (await runs(code)).filter(({ records }) => records.some(({ state }) => state === 'moved')).length;
  expect(await moved('moving_small')).toBe(1);
  expect(await moved('moving_large')).toBe(99);
  await forgetRuns();
});

test('runs of a campaign on an old version get a share beside those of its newest version', async () => {
  await begin('versions');
  await setup.republish({ ...documentOf('versions'), name: 'another' });
  const campaign = await campaignOf('versions');
  await pool.query(`update campaign_run set due_at = due_at + interval '1 minute' where campaign_id = $1`, [
    campaign.campaign_id,
  ]);
  await begin('beside_versions');
  await copy('beside_versions', 1_199);
  clock.advance(2 * hour);
  await lane.runOnce();
  expect(await states('versions')).toEqual(['done']);
  await forgetRuns();
});
