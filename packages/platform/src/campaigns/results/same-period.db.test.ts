import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { timestamptzText } from '../../database/index.ts';
import { readCampaigns } from '../index.ts';
import { listAmounts, measureArms } from './measures.ts';

/* The arms of a split are compared over the same period, although each has a limited number of measured players. */
const setup = await setupCampaigns();
const { pool, brand, clock } = setup;
const { brand_id } = brand;
const window = { zone: 'UTC', days: 1, today: '2100-01-01', most: 10 };
const document: Campaign = {
  code: 'limited',
  name: 'limited',
  entry: { api: true },
  steps: [{ id: 'mark', tag: 'x' }],
};

test('a small arm contains only players who entered in the period of the largest arm', async () => {
  await setup.campaign(document);
  const [campaign] = await readCampaigns(pool, brand_id, { code: 'limited' });
  const { rows: versions } = await pool.query('select version_id from campaign_version where campaign_id = $1', [
    campaign?.campaign_id,
  ]);
  const runs: { run_id: number; arm: string; isSmall: boolean }[] = [];
  for (let n = 0; n < 40; n++) {
    const player_id = await setup.reader(`player ${n}`);
    const arm = n % 5 === 0 ? 'control' : n % 5 === 1 ? 'b' : 'a';
    // Another split, whose arms are not larger than the limit.
    const isSmall = n < 8;
    const variants = { test: arm, ...(isSmall && { small: arm }) };
    const { rows } = await pool.query<{ run_id: number }>(
      `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
       values ($1, $2, $3, $4, 'once', '{}', 'done', $5, $6, $6) returning run_id`,
      [player_id, brand_id, campaign?.campaign_id, versions[0].version_id, { variants }, timestamptzText(clock.now())],
    );
    runs.push({ run_id: rows[0]?.run_id ?? 0, arm, isSmall });
  }
  const inArm = (arm: string) => runs.filter((one) => one.arm === arm).map(({ run_id }) => run_id);
  const first = inArm('a').at(-10) ?? 0;
  const expected = (arm: string) => inArm(arm).filter((run_id) => run_id >= first);
  expect(expected('control').length).toBeLessThan(inArm('control').length);
  const arms = await measureArms(pool, campaign?.campaign_id ?? 0, window, false);
  const small = (arm: string) => runs.filter((one) => one.isSmall && one.arm === arm).length;
  expect(arms.map(({ split, variant, players }) => [split, variant, players])).toEqual([
    ['small', 'a', small('a')],
    ['small', 'b', small('b')],
    ['small', 'control', small('control')],
    ['test', 'a', 10],
    ['test', 'b', expected('b').length],
    ['test', 'control', expected('control').length],
  ]);
  const listed = await listAmounts(
    pool,
    campaign?.campaign_id ?? 0,
    { of: 'measured', split: 'test', variant: 'control', window },
    { limit: 100 },
  );
  expect(listed.map(({ run_id }) => run_id)).toEqual(expected('control').toReversed());
});
