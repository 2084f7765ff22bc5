import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { writesOf } from '../../../testing/writes-of.ts';
import { timestamptzText } from '../../database/index.ts';

/*
 * Each round trip to PostgreSQL takes a millisecond or more on busy cores, and a message waits until its whole round is done. So
 * statements that do not depend on each other are sent together.
 */
const setup = await setupCampaigns();
await setup.siteTemplate('hello', 'Hello {{ event.payment_id }}');
await setup.segment('payers', {
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }],
});
const campaign = (code: string, audience: string): Campaign => ({
  code,
  name: code,
  entry: { event: 'payment' },
  audience: { combinator: 'and', rules: [{ field: audience, operator: '=', value: true }] },
  reentry: { times: 'unlimited' },
  steps: [{ id: 'hello', send: { channel: 'site', template: 'hello' } }],
});
await setup.campaign(campaign('welcome', 'segment.payers'));
await setup.reader('ann');

/**
 * The writes to sockets in the round that processes one payment. On a busy machine, a connection may be opened again during a
 * round, which adds writes. So tests take the fewest writes of a few rounds.
 */
async function writesOfPayment(payment_id: string): Promise<number> {
  const timestamp = timestamptzText(setup.clock.now());
  await setup.publish({ kind: 'payment', body: paymentBody({ user_id: 'ann', payment_id, timestamp }) });
  await setup.derive();
  while ((await setup.segments.runOnce()).news > 0);
  return writesOf(() => setup.lane.runOnce());
}

async function fewestWrites(payments: readonly string[]): Promise<number> {
  const counts: number[] = [];
  for (const payment of payments) counts.push(await writesOfPayment(payment));
  return Math.min(...counts);
}

test('a round that starts a run and sends its message needs at most 15 writes', async () => {
  const writes = await fewestWrites(['p0', 'p1', 'p2']);
  expect((await setup.messages()).map(({ title }) => title)).toEqual(['Hello p0', 'Hello p1', 'Hello p2']);
  // The first round makes one more write, because it reads the campaign.
  expect(writes).toBeLessThanOrEqual(15);
});

test('a round that starts runs of thirteen campaigns needs no more writes than a round for one campaign', async () => {
  const before = await fewestWrites(['b0', 'b1', 'b2']);
  for (let i = 0; i < 12; i++) await setup.campaign(campaign(`more_${i}`, 'segment.payers'));
  expect(await fewestWrites(['t0', 't1', 't2', 't3'])).toBeLessThanOrEqual(before);
  expect((await setup.messages()).filter(({ title }) => title === 'Hello t3')).toHaveLength(13);
});
