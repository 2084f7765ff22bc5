import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { lockBuckets } from '../../buckets/index.ts';
import { transaction } from '../../database/index.ts';
import { enterPlayer, pause, readCampaigns, resume, stop } from '../index.ts';

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

const own = async () => {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code: 'again' });
  if (campaign === undefined) throw new Error('the campaign does not exist');
  return campaign;
};
const end = async () => {
  const campaign = await own();
  await transaction(pool, (tx) => stop(tx, campaign, { at: clock.now(), actor: 'a test' }));
};
const changed = { ...document, name: 'Again, changed' };

test('a stopped campaign is published again only when all its runs have exited; none of them sends anything', async () => {
  await setup.campaign(document);
  const enter = async (userId: string) => {
    const player_id = await setup.reader(userId);
    const campaign = await own();
    await transaction(pool, (tx) => enterPlayer(tx, campaign, { player_id, key: userId, data: {}, at: clock.now() }));
    await setup.follow();
  };
  await enter('ann');
  await end();
  await expect(setup.republish(changed)).rejects.toThrow('some of its runs have not exited yet');
  await setup.follow();
  await setup.republish(changed);
  await enter('ben');
  clock.advance(3_600_000_000);
  await setup.follow();
  expect(await setup.messages()).toMatchObject([{ user_id: 'ben' }]);
});

test('a publication after a stop waits for the rounds that began before the stop, because they may insert runs', async () => {
  const player_id = await setup.reader('cid');
  const { campaign_id, brand_id } = await own();
  const round = await pool.connect();
  try {
    await round.query('begin');
    expect(await lockBuckets(round, 'campaigns', [0, 1, 63])).toHaveLength(3);
    await end();
    const published = expect(setup.republish({ ...changed, name: 'Again, once more' })).rejects.toThrow(
      'some of its runs have not exited yet',
    );
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    await round.query(
      `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
       select $1, $2, $3, max(version_id), 'late', '{}', 'active', '{}', now(), now() from campaign_version where campaign_id = $3`,
      [player_id, brand_id, campaign_id],
    );
    await round.query('commit');
    await published;
  } finally {
    round.release();
  }
});

test('a publication after a stop is refused if a round holds its buckets for longer than 3 s', async () => {
  await setup.follow();
  const round = await pool.connect();
  try {
    await round.query('begin');
    await lockBuckets(round, 'campaigns', [5]);
    await expect(setup.republish({ ...changed, name: 'Again, at last' })).rejects.toThrow('try again in a moment');
  } finally {
    await round.query('rollback');
    round.release();
  }
  await setup.republish({ ...changed, name: 'Again, at last' });
});

test('a call that was accepted right before a pause or a stop starts a run, which is held or exits', async () => {
  const code = 'at-once';
  await setup.campaign({ ...document, code, steps: [{ id: 'hello', send: { channel: 'site', template: 'hello' } }] });
  const campaign = async () => {
    const [found] = await readCampaigns(pool, brand.brand_id, { code });
    if (found === undefined) throw new Error('the campaign does not exist');
    return found;
  };
  const by = { at: clock.now(), actor: 'a test' };
  const accept = async (userId: string) => {
    const player_id = await setup.reader(userId);
    const entered = await campaign();
    await transaction(pool, (tx) => enterPlayer(tx, entered, { player_id, key: userId, data: {}, at: clock.now() }));
  };
  await accept('dan');
  await transaction(pool, async (tx) => pause(tx, await campaign()));
  await setup.follow();
  expect(await setup.runs(code)).toMatchObject([{ user_id: 'dan', state: 'held', reason: 'paused' }]);
  await transaction(pool, async (tx) => resume(tx, await campaign(), by));
  await setup.follow();
  expect(await setup.runs(code)).toMatchObject([{ user_id: 'dan', state: 'done' }]);
  await accept('eve');
  await transaction(pool, async (tx) => stop(tx, await campaign(), by));
  await setup.follow();
  await setup.follow();
  expect(await setup.runs(code)).toMatchObject([
    { user_id: 'dan', state: 'done' },
    { user_id: 'eve', state: 'exited', reason: 'stopped' },
  ]);
  expect((await setup.messages()).filter(({ user_id }) => user_id === 'dan' || user_id === 'eve')).toHaveLength(1);
});
