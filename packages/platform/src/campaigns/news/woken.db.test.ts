import { expect, test, vi } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { connectionConfig, timestamptzText } from '../../database/index.ts';
import { CampaignWakeupListener, CampaignWakeupSender } from './wakeups.ts';

/* Entries by segments and by calls wake the lane as events do, without waiting for its poll. */
const { url, reader, segment, publish, derive, clock, createSegmentLane } = await setupCampaigns();

test('a round of segments that processed news wakes the lane, and an idle round does not', async () => {
  let woken = 0;
  const lane = createSegmentLane(() => void woken++);
  await segment('payers', { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] });
  await reader('ann');
  while ((await lane.runOnce()).news > 0);
  woken = 0;
  await lane.runOnce();
  expect(woken).toBe(0);
  const timestamp = timestamptzText(clock.now());
  await publish({ kind: 'payment', body: paymentBody({ user_id: 'ann', payment_id: 'p1', timestamp }) });
  await derive();
  await lane.runOnce();
  expect(woken).toBe(1);
});

test('a call at one process wakes the lanes of the other processes', async () => {
  const onWakeup = vi.fn();
  const own = { connection: connectionConfig(url, { name: 'test' }), process: 'test', log: testLog };
  const listener = new CampaignWakeupListener({ ...own, onWakeup });
  const sender = new CampaignWakeupSender(own);
  await listener.start();
  // The listener wakes the lane once when it connects, because signals from before are lost.
  expect(onWakeup).toHaveBeenCalledTimes(1);
  sender.poke();
  await vi.waitFor(() => expect(onWakeup).toHaveBeenCalledTimes(2));
  await Promise.all([sender.stop(), listener.stop()]);
});
