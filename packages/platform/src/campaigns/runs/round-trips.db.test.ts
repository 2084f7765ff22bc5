import { Socket } from 'node:net';
import type { Campaign } from '@croupier/campaigns';
import { expect, test, vi } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
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

/** Counts the writes to the socket of a connection. The driver uses one write for statements that it gets together. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const prototype = Socket.prototype as unknown as { _write(): void; _writev(): void };
  const spies = [vi.spyOn(prototype, '_write'), vi.spyOn(prototype, '_writev')];
  try {
    await work();
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The writes of the round that processes one payment. */
async function writesOfPayment(payment_id: string): Promise<number> {
  const timestamp = timestamptzText(setup.clock.now());
  await setup.publish({ kind: 'payment', body: paymentBody({ user_id: 'ann', payment_id, timestamp }) });
  await setup.derive();
  while ((await setup.segments.runOnce()).news > 0);
  return writesOf(() => setup.lane.runOnce());
}

test('a round that starts a run and sends its message needs few writes', async () => {
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) counts.push(await writesOfPayment(`p${i}`));
  expect((await setup.messages()).map(({ title }) => title)).toEqual(['Hello p0', 'Hello p1', 'Hello p2']);
  // A round makes 17 writes. The first round makes one more, because it reads the campaign.
  expect(Math.max(...counts)).toBeLessThanOrEqual(18);
});

test('a round that starts runs of twelve campaigns needs few more writes than one for one campaign', async () => {
  const [before] = [await writesOfPayment('one')];
  for (let i = 0; i < 12; i++) await setup.campaign(campaign(`more_${i}`, 'segment.payers'));
  await writesOfPayment('first');
  expect(await writesOfPayment('twelve')).toBeLessThanOrEqual(before + 6);
  expect((await setup.messages()).filter(({ title }) => title === 'Hello twelve')).toHaveLength(13);
});
