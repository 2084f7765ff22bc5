import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { enterPlayer, listOutcomes, outcomes, readCampaigns, readResults, readVersions } from '../index.ts';

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
async function own(code = 'moves') {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
  if (campaign === undefined) throw new Error('the campaign does not exist');
  return campaign;
}
async function enter(name: string, count: number, code = 'moves'): Promise<void> {
  const campaign = await own(code);
  for (let n = 0; n < count; n++) {
    const player_id = await setup.reader(`${name} ${n}`);
    await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: 'once', data: {}, at: clock.now() }));
  }
  await setup.follow();
}
const splits = async (code = 'moves') =>
  (await readResults(pool, { campaign_id: (await own(code)).campaign_id, brand }, { at: clock.now() })).splits;

const playersOf = (split: Awaited<ReturnType<typeof splits>>[number] | undefined) =>
  (split?.arms ?? []).reduce((sum, { players }) => sum + players, 0);

test('players are compared with the shares of the version whose split put them into their arms', async () => {
  await setup.campaign(documentOf(50));
  await enter('first', 80);
  await setup.republish(documentOf(95), { movesRuns: true });
  await setup.follow();
  const [moved, drew] = await splits();
  expect(moved).toMatchObject({ version: 2, sample_ratio_mismatch: false });
  // The arms are those of the version that drew them.
  expect(playersOf(moved)).toBe(0);
  expect(playersOf(drew)).toBe(80);
  await enter('second', 40);
  expect((await splits())[0]).toMatchObject({ version: 2, sample_ratio_mismatch: false });
  // Someone removes runs of one arm, so the arms no longer match the shares by which the version divided its players.
  await pool.query(
    `delete from campaign_run_step s using player p where p.player_id = s.player_id and p.user_id like 'second %' and s.variant = 'a'`,
  );
  expect((await splits())[0]).toMatchObject({ version: 2, sample_ratio_mismatch: true });
});

test('a control arm, whose runs are done, is compared with the runs of its version that moved', async () => {
  const rest: Campaign['steps'] = [
    { id: 'rest', wait: { for: 'P1D' } },
    { id: 'mark', tag: 'seen' },
  ];
  const arms = [
    { name: 'control', share: 50, control: true },
    { name: 'a', share: 50, steps: rest },
  ];
  const document = { code: 'same', entry: { api: true as const }, steps: [{ id: 'test', split: arms }] };
  await setup.campaign({ ...document, name: 'one' });
  await enter('old', 60, 'same');
  await setup.publish(
    ...Array.from({ length: 60 }, (_, n) => ({
      kind: 'payment' as const,
      body: paymentBody({
        user_id: `old ${n}`,
        status: 'Approved',
        payment_id: `old ${n}`,
        timestamp: timestamptzText(clock.now()),
      }),
    })),
  );
  await setup.derive();
  await setup.republish({ ...document, name: 'two' }, { movesRuns: true });
  await setup.follow();
  await enter('new', 60, 'same');
  clock.advance(10 * 86_400_000_000);
  await setup.follow();
  const [second, first] = await splits('same');
  expect((first?.arms ?? []).map(({ measured }) => [measured.players, measured.depositors])).toEqual(
    (first?.arms ?? []).map(({ players }) => [players, players]),
  );
  expect(second?.arms.map(({ measured }) => measured.depositors)).toEqual([0, 0]);
  expect([first, second].map(playersOf)).toEqual([60, 60]);
  expect(second?.arms[1]?.measured.sums.deposits.against_control).toMatchObject({ difference: 0 });
  // Each count has its list.
  const campaign = await own('same');
  const versions = await readVersions(pool, [campaign.campaign_id]);
  for (const { version_id, version } of versions)
    for (const { name, counts } of [first, second].find((one) => one?.version === version)?.arms ?? [])
      for (const outcome of outcomes) {
        const filter = { outcome, version_id, split: 'test', variant: name };
        expect(await listOutcomes(pool, campaign, filter, { limit: 100 })).toHaveLength(counts[outcome]);
      }
});
