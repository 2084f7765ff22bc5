import type { Campaign } from '@croupier/campaigns';
import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { Versions } from '../documents/active-store.ts';
import { insertProtectionNews, readCampaigns, remove, stop } from '../index.ts';
import { workStart } from '../starts/portion.ts';
import { listRunning } from '../starts/store.ts';
import { newState } from './entries.ts';
import { insertRuns } from './store.ts';

/*
 * Runs that a transaction inserts while something happens that it does not see: the player becomes protected or is erased, or the campaign
 * is deleted. A later round ends them.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, reader, follow, runs } = setup;
const at = (text: string) => Date.parse(text) * 1_000;

async function own(code: string) {
  const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
  if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
  return campaign;
}

/** Runs a portion of a scheduled start, and does something else before the portion commits. */
async function duringStart(code: string, local: string, meanwhile: () => Promise<void>): Promise<void> {
  const steps: Campaign['steps'] = [
    { id: 'mark', tag: 'reached' },
    { id: 'rest', wait: { for: 'P30D' } },
  ];
  const due = at(`${local}:00Z`);
  clock.set(due - 1_000_000);
  await setup.campaign({ code, name: code, entry: { schedule: { at: local } }, steps });
  const { campaign_id, brand_id } = await own(code);
  clock.set(due + 7_200_000_000);
  await pool.query(
    `insert into campaign_start (campaign_id, brand_id, local, due_at, state) values ($1, $2, $3, $4, 'running')`,
    [campaign_id, brand_id, local, timestamptzText(due)],
  );
  const [start] = (await listRunning(pool)).filter((one) => one.campaign_id === campaign_id);
  if (start === undefined) throw new Error('the start does not run');
  const deps = { brands: { byId: () => brand }, rules: setup.rules, versions: new Versions({ pool }), isSlowed: false };
  await transaction(pool, async (tx) => {
    await workStart(tx, deps, start, clock.now(), 1_000);
    await meanwhile();
  });
  clock.advance(60_000_000);
  for (let n = 0; n < 2; n++) await follow();
}

test('a player who becomes excluded while a start is open leaves the run before its first step', async () => {
  const player_id = await reader('race');
  await duringStart('excluded', '2027-01-05T13:00', async () => {
    await pool.query(
      'insert into player_protection (player_id, brand_id, blocked, excluded) values ($1, $2, false, true)',
      [player_id, brand.brand_id],
    );
    await transaction(pool, (tx) =>
      insertProtectionNews(tx, [{ player_id, brand_id: brand.brand_id, kind: 'excluded', at: clock.now() } as never]),
    );
    await setup.lane.runOnce();
  });
  expect(await runs('excluded')).toMatchObject([{ user_id: 'race', state: 'exited', reason: 'excluded' }]);
  expect((await pool.query('select from player_tag where player_id = $1', [player_id])).rowCount).toBe(0);
});

test('a player who is erased while a start is open leaves no run', async () => {
  const player_id = await reader('gone');
  await duringStart('erased', '2027-02-05T13:00', async () => {
    await pool.query('update player set erased_at = now() where player_id = $1', [player_id]);
  });
  expect((await pool.query('select from campaign_run where player_id = $1', [player_id])).rowCount).toBe(0);
});

test('a run that is inserted while its campaign is deleted fails, and no later round reads it', async () => {
  await setup.campaign({ code: 'deleted', name: 'deleted', entry: { api: true }, steps: [{ id: 'mark', tag: 'x' }] });
  const { campaign_id, brand_id } = await own('deleted');
  const { rows } = await pool.query<{ version_id: number }>(
    'select version_id from campaign_active where campaign_id = $1',
    [campaign_id],
  );
  const version_id = rows[0]?.version_id ?? 0;
  const player_id = await reader('late');
  const now = clock.now();
  const cause = { type: 'api' as const, campaign_id, key: 'k', data: {}, at: now };
  await transaction(pool, async (tx) => {
    const run = { player_id, brand_id, campaign_id, version_id, cause_key: 'api k', cause, ...newState() };
    await insertRuns(tx, [{ ...run, entered_at: now, moved_at: now }]);
    const change = async (what: (on: PoolClient, of: Awaited<ReturnType<typeof own>>) => Promise<void>) => {
      const campaign = await own('deleted');
      await transaction(pool, (other) => what(other, campaign));
    };
    await change((other, campaign) => stop(other, campaign, { at: now, actor: 'a test' }));
    await change((other, campaign) => remove(other, campaign, now));
  });
  const lane = setup.createLane();
  await lane.runOnce();
  const found = await pool.query('select state, reason from campaign_run where player_id = $1', [player_id]);
  expect(found.rows).toEqual([{ state: 'failed', reason: 'campaign_deleted' }]);
  expect(await lane.runOnce()).toMatchObject({ isIdle: true });
});
