import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { listNotifications, type NotificationFilter } from '../../channels/index.ts';

/*
 * Messages on the site are found by their state, campaign and reason, whether few or all of the messages of a brand have them. The
 * test counts the rows that the database reads, because this number does not depend on the load of the machine.
 */
const { pool, brand, get } = await setupConsole();
const anna = await insertPlayer(pool, brand.brand_id, 'anna');

/** Stores messages 1 to `count` of 1,000 players. Every 1,000th is of the first player. `columns` is SQL of the values that depend on the number `n`. */
const fill = (
  brandId: number,
  firstPlayer: number,
  count: number,
  columns: Record<'state' | 'reason' | 'campaign_id', string>,
) =>
  pool.query(
    `insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
            footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url, created_at, created_by,
            state_since, state, reason, campaign_id, live_at, due_at)
     select ($2::bigint * 1000000 + n) * 64 + (player & 63), $2, player, 'site', 'marketing', 'message', 'push', '', '', '', '', '{}', '', '', '', '', '',
            now(), 'test', now(), state, reason, campaign_id, case when state = 'live' then now() end, case when state = 'held' then now() end
       from (select n, $1::bigint + n % 1000 as player, ${columns.state} as state, ${columns.reason} as reason, ${columns.campaign_id} as campaign_id
               from generate_series(1, $3::int) n) m order by n`,
    [firstPlayer, brandId, count],
  );

/* Of this brand, one message in 1,000 has a reason. Two reasons are even rarer: only the two oldest of these messages have them. */
await fill(brand.brand_id, anna, 300_000, {
  state: `case when n % 1000 <> 0 then 'live' when n = 2000 then 'held' else 'withheld' end`,
  reason: `case when n % 1000 <> 0 then null when n = 1000 then 'excluded' when n = 2000 then 'unknown' else 'no_consent' end`,
  campaign_id: `case when n <= 2000 then 'spring' else 'winter' end`,
});
/* All messages of the other brand have the same reason. Only the oldest one is of another campaign. */
const other = brand.brand_id + 1;
await fill(other, anna + 1_000, 50_000, {
  state: `'withheld'`,
  reason: `'frequency_cap'`,
  campaign_id: `case n when 1 then 'spring' else 'winter' end`,
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Rows of `notification` that a part of a plan read, also those that it did not return. */
function rowsOf(plan: Plan): number {
  const rows =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = plan['Relation Name'] === 'notification' ? rows * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}

/** The rows that a page of 51 messages reads. */
async function rowsRead(brandId: number, filter: NotificationFilter): Promise<number> {
  let plan: Plan | undefined;
  const explaining = {
    async query(sql: string, values: unknown[]) {
      const { rows } = await pool.query(`explain (analyze, timing off, format json) ${sql}`, values);
      plan = rows[0]['QUERY PLAN'][0].Plan;
      return { rows: [] };
    },
  };
  await listNotifications(explaining as unknown as Pool, brandId, filter, { limit: 51 });
  return plan === undefined ? Number.NaN : Math.round(rowsOf(plan));
}

const list = async (path: string) => {
  const { items, next } = (await get(`/brands/malta/${path}`)).body;
  const numberOf = (id: number) => Math.floor(id / 64) - brand.brand_id * 1_000_000;
  return { found: items.map(({ message_id }: { message_id: number }) => numberOf(message_id)), next };
};

test.each<[query: string, found: number[]]>([
  ['reason=excluded', [1_000]],
  ['reason=excluded&campaign_id=spring', [1_000]],
  ['reason=excluded&campaign_id=winter', []],
  ['reason=unknown&state=held', [2_000]],
  ['reason=unknown&state=withheld', []],
  ['reason=frequency_cap', []],
])('messages of a brand are found by their reason: %s', async (query, found) => {
  expect(await list(`messages?${query}`)).toEqual({ found, next: null });
  expect(await list(`players/anna/messages?${query}`)).toEqual({ found, next: null });
});

test('the pages continue, newest first', async () => {
  for (const path of ['messages', 'players/anna/messages']) {
    const first = await list(`${path}?reason=no_consent&limit=2`);
    expect(first).toEqual({ found: [300_000, 299_000], next: expect.any(String) });
    const second = await list(`${path}?reason=no_consent&limit=2&cursor=${first.next}`);
    expect(second.found).toEqual([298_000, 297_000]);
  }
});

/** Each filter with the number of rows that a page may read. */
const pages: readonly [filter: NotificationFilter, of: number, most: number][] = [
  [{ reason: 'no_consent' }, brand.brand_id, 51],
  [{ reason: 'no_consent', campaign_id: 'winter' }, brand.brand_id, 51],
  [{ reason: 'no_consent', campaign_id: 'winter', state: 'withheld' }, brand.brand_id, 51],
  [{ reason: 'no_consent', campaign_id: 'spring' }, brand.brand_id, 0],
  [{ reason: 'no_consent', state: 'held' }, brand.brand_id, 0],
  [{ reason: 'excluded' }, brand.brand_id, 1],
  [{ reason: 'excluded', campaign_id: 'spring' }, brand.brand_id, 1],
  [{ reason: 'unknown', state: 'held' }, brand.brand_id, 1],
  [{ reason: 'recalled' }, brand.brand_id, 0],
  [{ reason: 'frequency_cap' }, other, 51],
  [{ reason: 'frequency_cap', state: 'withheld' }, other, 51],
  [{ reason: 'frequency_cap', campaign_id: 'winter' }, other, 51],
  [{ reason: 'frequency_cap', campaign_id: 'spring' }, other, 1],
  [{ reason: 'excluded' }, other, 0],
  [{ reason: 'no_consent', player_id: anna }, brand.brand_id, 300],
  // Without a state, a page of each state.
  [{}, brand.brand_id, 2 * 51 + 1],
  [{ campaign_id: 'winter' }, brand.brand_id, 2 * 51],
  [{ campaign_id: 'spring' }, brand.brand_id, 51 + 2],
  [{ state: 'withheld' }, brand.brand_id, 51],
  [{ state: 'dropped' }, brand.brand_id, 0],
  [{}, other, 51],
];

test.each(['fresh', 'analyzed'])(
  'a page reads only rows that it shows, with statistics that are %s',
  async (statistics) => {
    if (statistics === 'analyzed') await pool.query('analyze notification');
    for (const [filter, of, most] of pages)
      expect(await rowsRead(of, filter), JSON.stringify(filter)).toBeLessThanOrEqual(most);
  },
);

test('a page reads only rows that it shows when all stored messages have the same state', async () => {
  await pool.query("delete from notification where state <> 'live'");
  await pool.query('vacuum (analyze) notification');
  const filters: NotificationFilter[] = [
    {},
    { state: 'withheld' },
    { campaign_id: 'winter' },
    { campaign_id: 'spring' },
  ];
  for (const filter of filters)
    expect(await rowsRead(brand.brand_id, filter), JSON.stringify(filter)).toBeLessThanOrEqual(51);
});
