import type { Campaign } from '@croupier/campaigns';
import { beforeAll, expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { setupScratch } from '../../../testing/scenarios/scratch.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { setPlayer } from '../player.ts';
import type { TimelineEntry } from '../timeline.ts';
import { TimelineReader } from '../timeline-reader.ts';
import { listBacktestEntries } from './reading.ts';
import { BacktestRunner } from './runner.ts';
import { insertBacktest, readBacktests } from './store.ts';

/*
 * Campaigns that start from a segment, including transitions caused by time alone, and from schedules in two zones: live for
 * two days, and then as backtests.
 */
const live = await setupCampaigns({ brand: { country_time_zones: { CA: 'America/Toronto' } } });
const { pool, brand, brands, ledger, clock, rules } = live;
const runner = new BacktestRunner({
  pool,
  ledger,
  brands,
  rules,
  scenarios: setupScratch(live.url),
  clock: clock.now,
  log: testLog,
});
const hour = 3_600_000_000;
const from = clock.now();
const until = from + 48 * hour;
const names = ['ann', 'bob', 'cat', 'dan'];
const hello = { id: 'hello', send: { channel: 'site' as const, template: 'hello' } };
const later = [hello, { id: 'pause', wait: { for: 'PT3H' } }, { id: 'done', tag: 'reached' }];
const campaigns: Campaign[] = [
  {
    code: 'came',
    name: 'Came',
    entry: { segment: 'active', on: 'entered' },
    reentry: { times: 'unlimited' },
    steps: later,
  },
  {
    code: 'went',
    name: 'Went',
    entry: { segment: 'active', on: 'left' },
    reentry: { times: 'unlimited' },
    steps: [hello],
  },
  {
    code: 'daily',
    name: 'Daily',
    entry: { schedule: { every: 'P1D', at: '18:00', zone: 'player' } },
    reentry: { times: 'unlimited' },
    audience: { combinator: 'and', rules: [{ field: 'segment.active', operator: '=', value: true }] },
    steps: [hello],
  },
  {
    code: 'members',
    name: 'Members',
    entry: { schedule: { every: 'P1D', at: '09:00' }, to: 'active' },
    reentry: { times: 'unlimited' },
    steps: [
      {
        id: 'w',
        wait: {
          rule: { combinator: 'and', rules: [{ field: 'segment.active', operator: '=', value: false }] },
          timeout: 'P1D',
        },
      },
      hello,
    ],
  },
];
const active = {
  combinator: 'and' as const,
  rules: [{ field: 'trait.deposit_count_24h' as const, operator: '>=' as const, value: 1 }],
};
/** Hours after the start; negative before it. */
const payments: [name: string, hour: number][] = [
  ['ann', -5],
  ['bob', 2],
  ['bob', 20],
  ['cat', 7],
  ['cat', 40],
  ['dan', -30],
];

const did = new Map<string, TimelineEntry[]>();

beforeAll(async () => {
  await live.siteTemplate('hello', 'Hello');
  const ids = new Map<string, number>();
  for (const name of names) ids.set(name, await live.reader(name));
  await setPlayer(pool, brand, ids.get('ann') ?? 0, { profile: { country: 'CA' } }, from);
  for (let number = -30; number <= 48; number++) {
    const at = from + number * hour;
    clock.set(at);
    if (number === 0) {
      await live.segment('active', active);
      for (const campaign of campaigns) await live.campaign(campaign);
    }
    await pool.query('update player_sync set done = requested, as_of = $1, due_at = null', [timestamptzText(at)]);
    for (const [user_id, when] of payments) {
      const body = paymentBody({ user_id, payment_id: `${user_id} ${when}`, timestamp: timestamptzText(at) });
      if (when === number) await live.publish({ kind: 'payment', body });
    }
    await live.derive();
    await live.follow();
  }
  for (const [name, playerId] of ids)
    did.set(name, await new TimelineReader({ pool, playerId }).next(until, brand.brand_id));
}, 300_000);

const rowsOf = (entries: readonly Partial<TimelineEntry>[]) =>
  entries.map(({ at, step, what, outcome, reason }) => JSON.stringify({ at, step, what, outcome, reason })).toSorted();

test.each(campaigns.map((campaign) => [campaign.code, campaign] as const))(
  '%s',
  { timeout: 300_000 },
  async (code, document) => {
    const { rows } = await pool.query<{ campaign_id: number }>('select campaign_id from campaign where code = $1', [
      code,
    ]);
    const campaign_id = rows[0]?.campaign_id ?? 0;
    const asked = {
      campaign_id,
      brand_id: brand.brand_id,
      version: 1,
      document,
      from_at: from,
      until_at: until,
      most_players: 100,
    };
    await transaction(pool, (tx) => insertBacktest(tx, asked, { at: until, actor: 'a test' }));
    await runner.runOnce();
    const [backtest] = await readBacktests(pool, { campaign_id });
    expect(backtest).toMatchObject({ state: 'done', tried: names.length, skipped: 0 });
    const range = { after: { player_id: 0, number: -1 }, limit: 1_000 };
    const entries = await listBacktestEntries(pool, backtest as never, { zone: brand.settings.time_zone }, range);
    let came = 0;
    for (const name of names) {
      const own = (did.get(name) ?? []).filter(({ campaign }) => campaign === code);
      came += own.length;
      expect(rowsOf(entries.filter(({ user_id }) => user_id === name) as never), name).toEqual(rowsOf(own));
    }
    expect(came).toBeGreaterThan(5);
  },
);
