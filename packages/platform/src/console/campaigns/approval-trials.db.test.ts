import type { Campaign } from '@croupier/campaigns';
import { afterAll, expect, test } from 'vitest';
import { testVault } from '../../../testing/brand.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { dropScratch } from '../../../testing/scenarios/scratch.ts';
import { timestamptzText } from '../../database/index.ts';
import { BacktestRunner, runScenario } from '../../scenarios/index.ts';
import { PlatformRules } from '../../segments/membership/index.ts';

/* Trials of campaigns of a brand whose versions wait for the approval of a second person. */
const campaign_approval = { players: 0, money: '100000' };
const console = await setupConsole({ campaign_approval });
const { pool, brands, clock, ledger, scenarios } = console;
afterAll(() => dropScratch(console.url));
const path = '/brands/malta/campaigns';
const campaign: Campaign = {
  code: 'paid',
  name: 'Paid',
  entry: { event: 'payment' },
  steps: [{ id: 'gift', credit: { bonus_code: 'TEN' } }],
};
const happens = [{ outcome: 'entered' }, { step: 'gift', outcome: 'credited' }, { outcome: 'done' }];

test('a scenario and a backtest show the bonus of a campaign whose publication would wait for approval', async () => {
  const events = [{ at: '2026-05-01T12:00:00Z', kind: 'payment' }];
  const tried = await console.call('POST', `${path}/scenario`, { body: { campaign, events } });
  expect(tried.body.timeline).toMatchObject(happens);

  const ann = await insertPlayer(pool, console.brand.brand_id, 'ann');
  await makeKnown(pool, console.brand.brand_id, [ann], timestamptzText(clock.now()));
  const timestamp = timestamptzText(clock.now()).replace(' ', 'T');
  await console.publish('payment', paymentBody({ user_id: 'ann', payment_id: 'a1', timestamp }) as never);
  await console.derive();
  clock.advance(60_000_000);
  await console.call('POST', path, { body: campaign });
  const asked = await console.call('POST', `${path}/paid/backtest`, { body: {} });
  const rules = new PlatformRules({ pool });
  await new BacktestRunner({ pool, ledger, brands, rules, scenarios, clock: clock.now, log: testLog }).runOnce();
  const { body } = await console.get(`${path}/paid/backtests/${asked.body.backtest_id}`);
  expect(body).toMatchObject({ state: 'done', tried: 1, skipped: 0, totals: { entered: 1, credited: 1 } });
});

test('a scenario fails if its campaign is not published because of the limits of its brand', async () => {
  const scenario = {
    name: 'waits',
    campaigns: [campaign],
    brand: { campaign_approval },
    steps: [{ event: 'payment' }, { expect: 'nothing' as const }],
  };
  const { failures } = await runScenario({ pool, vault: testVault, log: testLog }, scenario);
  expect(failures).toEqual([expect.stringContaining('the campaign paid waits for approval')]);
});
