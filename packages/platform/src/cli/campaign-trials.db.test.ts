import { afterAll, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../testing/console/setup-console.ts';
import { paymentBody } from '../../testing/derive/stage.ts';
import { testLog } from '../../testing/log.ts';
import { dropScratch } from '../../testing/scenarios/scratch.ts';
import { timestamptzText } from '../database/index.ts';
import { BacktestRunner } from '../scenarios/index.ts';
import { PlatformRules } from '../segments/membership/index.ts';
import { backtestCampaign, dryRunCampaign, forecastCampaign } from './campaign-trials.ts';

const { app, pool, brands, clock, ledger, scenarios, publish, derive, call, url: database } = await setupConsole();
afterAll(() => dropScratch(database));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const platform = { url, token: adminToken, brand: 'malta' };
const rules = new PlatformRules({ pool });
const backtests = new BacktestRunner({ pool, ledger, brands, rules, scenarios, clock: clock.now, log: testLog });
const campaign = { code: 'vip', name: 'VIP', entry: { event: 'payment' }, steps: [{ id: 'vip', tag: 'vip' }] };

test('from the command line, a campaign is tried on a player and on past days, and forecast for the next days', async () => {
  expect((await call('POST', '/brands/malta/campaigns', { body: campaign })).status).toBe(201);
  for (let day = 0; day < 10; day++, clock.advance(86_400_000_000))
    await publish(
      'payment',
      paymentBody({ user_id: `p${day}`, payment_id: `n${day}`, timestamp: timestamptzText(clock.now()) }) as never,
    );
  await derive();
  expect(await dryRunCampaign(platform, 'vip', { user: 'p3' })).toEqual([
    'p3',
    '  2026-05-11T12:00:00.000000Z run entered',
    '  2026-05-11T12:00:00.000000Z vip tagged',
    '  2026-05-11T12:00:00.000000Z run done',
  ]);
  const lines = await backtestCampaign(platform, 'vip', { days: 9, wait: () => backtests.runOnce() });
  expect(lines.slice(0, 3)).toEqual([
    '9 players tried',
    'day          entered      sent  withheld  credited',
    '2026-05-02         1         0         0         0',
  ]);
  expect(lines.at(-1)).toBe('total              9         0         0         0');
  const forecast = await forecastCampaign(platform, 'vip', { days: 2 });
  expect(forecast[1]).toMatch(/^2026-05-12 +1 \(\d+-\d+\)/);
});
