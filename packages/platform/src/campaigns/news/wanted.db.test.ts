import type { Campaign } from '@croupier/campaigns';
import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { timestamptzText } from '../../database/index.ts';
import { wantedEvents } from './wanted.ts';

/* An event that can neither start nor move a run leaves no row of news, even if a campaign uses events of its kind. */
const { publish, derive, campaign, reader, lane, runs, clock, pool } = await setupCampaigns();

const big: Campaign = {
  code: 'big',
  name: 'Big deposit',
  entry: {
    event: 'payment',
    where: {
      combinator: 'and',
      rules: [
        { field: 'status', operator: '=', value: 'Approved' },
        { field: 'amount', operator: '>=', value: 500 },
      ],
    },
  },
  reentry: { times: 'unlimited', while_running: true },
  steps: [
    { id: 'pause', wait: { for: 'PT1H' } },
    { id: 'mark', tag: 'big' },
  ],
};
await campaign(big);
await reader('mia');

let payments = 0;
async function pay(amount: number, more: Record<string, unknown> = {}): Promise<number> {
  const payment_id = `payment ${++payments}`;
  const timestamp = timestamptzText(clock.now());
  const body = paymentBody({ user_id: 'mia', payment_id, timestamp, amount, status: 'Approved', ...more });
  await publish({ kind: 'payment' as const, body });
  await derive();
  const { rows } = await pool.query(`select from campaign_news where news ->> 'type' = 'event'`);
  return rows.length;
}
const states = async () => (await runs('big')).map(({ state, reason }) => [state, reason]);

test('an event that no entry admits is not stored; one that an entry admits starts a run', async () => {
  expect(await pay(499)).toBe(0);
  expect(await pay(500, { status: 'Requested' })).toBe(0);
  expect(await pay(500)).toBe(1);
  await lane.runOnce();
  expect(await states()).toEqual([['waiting', null]]);
});

test('an event that withdraws the cause of a run is stored, even if the entry does not match it', async () => {
  expect(await pay(1, { payment_id: 'payment 3', status: 'Rollback' })).toBe(1);
  await lane.runOnce();
  expect(await states()).toMatchObject([['exited', 'cause_withdrawn']]);
});

test('an event older than the trigger age starts nothing, so it is not stored', async () => {
  expect(await pay(500, { timestamp: timestamptzText(clock.now() - 31 * 60_000_000) })).toBe(0);
});

test('all events of a kind are stored if a condition depends on the time at which it is evaluated', () => {
  const active = [{ campaign_id: 1, brand_id: 1, version_id: 1, kinds: ['payment' as const] }];
  const wantedOf = (operator: string, value: unknown) => {
    const where = { combinator: 'and', rules: [{ field: 'at', operator, value }] } as Rule;
    const document = { ...big, entry: { event: 'payment', where } };
    const wanted = wantedEvents(active, () => [{ version_id: 1, document }]).get(1);
    return { always: [...(wanted?.always ?? [])], entries: wanted?.matchers.get('payment')?.entries.length ?? 0 };
  };
  expect(wantedOf('inLast', 'PT1H')).toEqual({ always: ['payment'], entries: 0 });
  expect(wantedOf('notNull', undefined)).toEqual({ always: [], entries: 1 });
});

test('of the events that a run may wait for or that are a goal, those that satisfy the conditions are stored, even if they are old', async () => {
  const of = (amount: number) =>
    ({ combinator: 'and', rules: [{ field: 'amount', operator: '=', value: amount }] }) as Rule;
  await campaign({
    ...big,
    code: 'awaits_some',
    entry: { api: true },
    goal: { event: 'payment', where: of(20) },
    steps: [{ id: 'wait', wait: { event: 'payment', where: of(10), timeout: 'P1D' } }],
  });
  const timestamp = timestamptzText(clock.now() - 31 * 60_000_000);
  expect(await pay(11)).toBe(0);
  expect(await pay(10)).toBe(1);
  expect(await pay(10, { timestamp })).toBe(2);
  expect(await pay(20)).toBe(3);
  await lane.runOnce();
});

test('all events of a kind are stored while any version, even an earlier one, may wait for them', async () => {
  await campaign({
    ...big,
    code: 'awaits',
    entry: { api: true },
    steps: [{ id: 'wait', wait: { event: 'payment', timeout: 'P1D' } }],
  });
  expect(await pay(1)).toBe(1);
  await lane.runOnce();
  await campaign({ ...big, code: 'awaits' });
  expect(await pay(2)).toBe(1);
});
