import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../testing/campaigns/setup-campaigns.ts';
import { timestamptzText } from '../database/index.ts';
import { bucketOf, playerHash } from '../ledger/index.ts';
import { readCatalog } from '../segments/membership/index.ts';
import { candidatesOf } from './backtest/candidates.ts';
import { causeOf } from './dry-run/cause.ts';

/* If staff sign in as a player (docs/reference/decisions.md 2.10), the live campaign, backtests and dry runs ignore the login. */
const { pool, brand, ledger, clock, publish, derive, follow, campaign, reader, runs } = await setupCampaigns();
const hour = 3_600_000_000;
const from = clock.now() - hour;
const steps = [{ id: 'mark', tag: 'seen' }];
const onLogin: Campaign = { code: 'on-login', name: 'On login', entry: { event: 'login' }, steps };
await campaign(onLogin);
await campaign({
  code: 'awaits',
  name: 'Awaits a login',
  entry: { event: 'payment' },
  steps: [{ id: 'login', wait: { event: 'login', timeout: 'P1D' } }],
});

/** What the live campaign, a backtest and a dry run find after a login. */
async function foundAfter(user_id: string, more: { is_impersonated?: boolean }) {
  await reader(user_id);
  await publish({ kind: 'login', body: { user_id, timestamp: timestamptzText(clock.now()), ...more } });
  await derive();
  const { rows } = await pool.query(
    `select from campaign_news join player using (player_id) where user_id = $1 and news ->> 'type' = 'event'`,
    [user_id],
  );
  await follow();
  const catalog = await readCatalog(pool, brand);
  const at = clock.now();
  const search = { pool, ledger, brand, campaign: onLogin, catalog, from, until: at + hour, throttled: false };
  const signal = new AbortController().signal;
  const candidates = await candidatesOf({ ...search, signal }, bucketOf(playerHash(brand.brand_id, user_id)));
  const version = { document: onLogin } as never;
  return {
    news: rows.length,
    runs: (await runs('on-login')).filter((run) => run.user_id === user_id).length,
    backtest: candidates.some((one) => one.user_id === user_id),
    dryRun: (await causeOf({ ledger, brand, version, user_id, catalog, at })).found,
  };
}

test('a login of the player is found by all three', async () => {
  const found = { news: 1, runs: 1, backtest: true, dryRun: true };
  expect(await foundAfter('mia', {})).toEqual(found);
  expect(await foundAfter('ben', { is_impersonated: false })).toEqual(found);
});

test('a login of staff as the player is found by none of them', async () => {
  const none = { news: 0, runs: 0, backtest: false, dryRun: false };
  expect(await foundAfter('eva', { is_impersonated: true })).toEqual(none);
});
