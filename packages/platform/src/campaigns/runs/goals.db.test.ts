import type { Campaign } from '@croupier/campaigns';
import { beforeEach, expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { CampaignUpkeep, readCampaigns, stop } from '../index.ts';
import { readWatches } from './goal-watches.ts';

/*
 * Runs that are done watch for their goal. The goal counts once, and the runs are never open meanwhile. A watch is removed when its
 * goal can no longer count.
 */
const setup = await setupCampaigns();
const { pool, clock, runs, publish, derive, follow, by } = setup;
const hour = 3_600_000_000;
const day = 24 * hour;

let count = 0;
let code = '';
beforeEach(() => {
  code = `goal_${++count}`;
});

const where = (status: string) => ({
  combinator: 'and' as const,
  rules: [
    { field: 'status' as const, operator: '=' as const, value: status },
    // Payments of other tests do not concern the campaign of this one.
    { field: 'payment_id' as const, operator: 'beginsWith' as const, value: `${code} ` },
  ],
});
const documentOf = (parts: Partial<Campaign> = {}): Campaign => ({
  code,
  name: code,
  entry: { event: 'payment', where: where('Approved') },
  goal: { event: 'payment', where: where('Rejected'), within: 'P7D' },
  steps: [{ id: 'mark', tag: 'x' }],
  ...parts,
});

let payments = 0;
const pay = (status = 'Approved', at = clock.now()) =>
  publish({
    kind: 'payment',
    body: paymentBody({
      user_id: code,
      payment_id: `${code} ${++payments}`,
      status,
      timestamp: timestamptzText(at),
    }),
  });
async function happened(status?: string): Promise<void> {
  await pay(status);
  await derive();
  await follow();
}
const states = async () => (await runs(code)).map(({ state }) => state);
async function watched(): Promise<number> {
  const { rows } = await pool.query<{ player_id: number }>('select player_id from player where user_id = $1', [code]);
  return (await transaction(pool, (tx) => readWatches(tx, [rows[0]?.player_id ?? 0]))).length;
}

/** Enters the player, and follows the run until it is done. */
async function begin(parts: Partial<Campaign> = {}): Promise<void> {
  await setup.campaign(documentOf(parts));
  await setup.reader(code);
  await happened();
  expect(await states()).toEqual(['done']);
}

test.each<[string, Partial<Campaign>]>([
  ['that has finished its steps', {}],
  ['in a control arm', { steps: [{ id: 'test', split: [{ name: 'nothing', share: 100, control: true }] }] }],
])('the goal of a run %s counts once, in its window', async (_name, parts) => {
  await begin(parts);
  const records = (await runs(code))[0]?.records;
  clock.advance(day);
  await happened('Rejected');
  await happened('Rejected');
  expect(await states()).toEqual(['goal_reached']);
  expect((await runs(code))[0]?.records).toEqual(records);
  expect(await watched()).toBe(0);
});

test('an event that does not match the goal leaves the run unchanged', async () => {
  await begin();
  const stored = async () =>
    (
      await pool.query(
        'select r.xmin, r.xmax, r.* from campaign_run r join player p using (player_id) where p.user_id = $1',
        [code],
      )
    ).rows;
  const before = await stored();
  expect(before).toHaveLength(1);
  await happened('Cancelled');
  expect(await stored()).toEqual(before);
  expect(await watched()).toBe(1);
});

test('an event within the window counts, even if it arrives after the window; an event after the window does not', async () => {
  await begin();
  clock.advance(7 * day);
  await pay('Rejected');
  clock.advance(hour);
  await derive();
  await follow();
  expect(await states()).toEqual(['goal_reached']);
  code = `${code}_late`;
  await begin();
  clock.advance(7 * day + 1_000);
  await happened('Rejected');
  expect(await states()).toEqual(['done']);
});

test('goals count from the cause of the run, not from the time at which it is processed', async () => {
  const cause = clock.now();
  await setup.campaign(documentOf());
  await setup.reader(code);
  await pay('Approved', cause);
  await derive();
  clock.advance(hour / 4);
  await follow();
  expect(await states()).toEqual(['done']);
  await pay('Rejected', cause - 1_000_000);
  await derive();
  await follow();
  expect(await states()).toEqual(['done']);
  await pay('Rejected', cause + 1_000_000);
  await derive();
  await follow();
  expect(await states()).toEqual(['goal_reached']);
  code = `${code}_together`;
  await setup.campaign(documentOf());
  await setup.reader(code);
  await pay('Approved');
  await pay('Rejected');
  await derive();
  clock.advance(hour / 4);
  await follow();
  expect(await states()).toEqual(['goal_reached']);
});

test('a crash after an event was stored loses no goal: its news is still stored, and the next round counts it', async () => {
  await begin();
  await pay('Rejected');
  await derive();
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'cut' using errcode = '57P01'; end $$;
     create trigger refuse before update on campaign_run for each statement execute function refuse()`,
  );
  await expect(setup.lane.runOnce()).rejects.toThrow('cut');
  await pool.query('drop trigger refuse on campaign_run; drop function refuse()');
  expect(await states()).toEqual(['done']);
  await follow();
  expect(await states()).toEqual(['goal_reached']);
});

test('a run that watches is not open: the player enters again, and a stop or a new version does not move it', async () => {
  await begin({ reentry: { times: 'unlimited', while_running: false } });
  clock.advance(hour);
  await happened();
  expect(await states()).toEqual(['done', 'done']);
  const { rows } = await pool.query(
    `select moved_at from campaign_run r join campaign c using (campaign_id) where c.code = $1`,
    [code],
  );
  await setup.republish(documentOf({ goal: { event: 'login', within: 'P7D' } }), { movesRuns: true });
  await transaction(pool, async (tx) => {
    const [campaign] = await readCampaigns(tx, setup.brand.brand_id, { code, lock: true });
    if (campaign !== undefined) await stop(tx, campaign, by());
  });
  await follow();
  expect(await states()).toEqual(['done', 'done']);
  await happened('Rejected');
  expect(await states()).toEqual(['done', 'done']);
  const after = await pool.query(
    `select moved_at from campaign_run r join campaign c using (campaign_id) where c.code = $1`,
    [code],
  );
  expect(after.rows).toEqual(rows);
});

test('the upkeep removes watches a day after their window ends, and those of stopped campaigns, in portions', async () => {
  await pool.query('update campaign_run set goal_until = null');
  const codes: string[] = [];
  for (let n = 0; n < 3; n++) {
    code = `goal_kept_${n}`;
    codes.push(code);
    await begin({ goal: { event: 'payment', where: where('Rejected'), within: n === 0 ? 'P30D' : 'P7D' } });
  }
  const left = async () => {
    const { rows } = await pool.query<{ code: string }>(
      'select c.code from campaign_run r join campaign c using (campaign_id) where r.goal_until is not null order by 1',
    );
    return rows.map((one) => one.code);
  };
  const upkeep = new CampaignUpkeep({ pool, clock: clock.now, log: testLog, portionRuns: 1 });
  const pass = async () => {
    let forgotten = 0;
    for (let n = 0; n <= codes.length; n++) forgotten += (await upkeep.runOnce()).forgotten;
    return forgotten;
  };
  clock.advance(8 * day);
  expect(await pass()).toBe(0);
  clock.advance(1);
  expect(await pass()).toBe(2);
  expect(await left()).toEqual([codes[0]]);
  code = codes[0] ?? '';
  await transaction(pool, async (tx) => {
    const [campaign] = await readCampaigns(tx, setup.brand.brand_id, { code, lock: true });
    if (campaign !== undefined) await stop(tx, campaign, by());
  });
  expect(await pass()).toBe(1);
  expect(await left()).toEqual([]);
  expect(await states()).toEqual(['done']);
});
