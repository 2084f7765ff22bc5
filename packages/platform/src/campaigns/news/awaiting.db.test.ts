import type { Campaign } from '@croupier/campaigns';
import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { timestamptzText } from '../../database/index.ts';

const { publish, derive, campaign, segment, segments, reader, lane, runs, clock, pool } = await setupCampaigns();

const all = (field: string, operator: string, value: unknown): Rule => ({
  combinator: 'and',
  rules: [{ field, operator, value }],
});
const beginning = (code: string, event: string, audience: Rule): Campaign => ({
  code,
  name: code,
  entry: { event },
  audience,
  steps: [{ id: 'mark', tag: code }],
});
await segment('depositors', all('trait.deposit_count', '>=', 1));
await campaign(beginning('members', 'payment', all('segment.depositors', '=', true)));
await campaign(beginning('visitors', 'login', all('trait.login_count', '>=', 1)));
const deposit = (user_id: string) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id: `of ${user_id}`, timestamp: timestamptzText(clock.now()) }),
});
const entered = async (code: string) => (await runs(code)).map(({ user_id }) => user_id);

test('a campaign that uses a segment sees the membership that its event causes', async () => {
  await reader('mia');
  await publish(deposit('mia'));
  await derive();
  await lane.runOnce();
  expect(await entered('members')).toEqual([]);
  await segments.runOnce();
  await lane.runOnce();
  expect(await entered('members')).toEqual(['mia']);
});

test('an event with which no such campaign starts does not wait', async () => {
  await reader('lou');
  await publish({
    kind: 'login',
    body: { user_id: 'lou', timestamp: timestamptzText(clock.now()), origin: 'www.example.com' },
  });
  await derive();
  await lane.runOnce();
  expect(await entered('visitors')).toEqual(['lou']);
});

test('a segment that is stuck delays the event by 5 s', async () => {
  await reader('max');
  await publish(deposit('max'));
  await derive();
  clock.advance(4_999_999);
  expect(await lane.runOnce()).toMatchObject({ news: 0 });
  clock.advance(1);
  expect(await lane.runOnce()).toMatchObject({ news: 1 });
  expect(await entered('members')).toEqual(['mia']);
  expect((await pool.query('select from campaign_news')).rowCount).toBe(0);
});

test('a later event of the player does not extend the wait, and waits itself', async () => {
  await reader('ann');
  await publish(deposit('ann'));
  await derive();
  clock.advance(3_000_000);
  await publish({
    kind: 'payment',
    body: paymentBody({ user_id: 'ann', payment_id: 'second of ann', timestamp: timestamptzText(clock.now()) }),
  });
  await derive();
  clock.advance(2_000_000);
  expect(await lane.runOnce()).toMatchObject({ news: 1 });
  expect(await lane.runOnce()).toMatchObject({ news: 0 });
  clock.advance(3_000_000);
  expect(await lane.runOnce()).toMatchObject({ news: 1 });
});
