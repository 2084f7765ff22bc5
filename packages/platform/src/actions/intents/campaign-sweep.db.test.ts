import { expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { systemClock } from '../../clock.ts';
import { sweepCampaignIntents } from './campaign-sweep.ts';

/* What happens to credits that a run ordered, and for which no call has begun, when their campaign is stopped or paused. */
const { pool } = await setupDatabase();

async function setupGifts() {
  const setup = await setupIntents(pool, { runs: false });
  const { brand_id } = setup.brand;
  const player = await setup.knownPlayer('ann');
  const insert = `insert into campaign_active (campaign_id, brand_id, code, version_id, phase, share, kinds, goal_kinds, moves_from)
                  values ((select coalesce(max(campaign_id), 0) + 1 from campaign_active), $1, 'gift', 1, 'live', 100, '{}', '{}', '{}')`;
  await pool.query(insert, [brand_id]);
  const ordered = { activity_id: 'gift', created_by: 'campaign gift' };
  return {
    ...setup,
    orderOther: (more = {}) => setup.order(player, more),
    order: (more = {}) => setup.order(player, { ...ordered, ...more }),
    setPhase: (phase: string) =>
      pool.query(
        `update campaign_active set phase = $2, stopped_at = case when $2 = 'stopped' then now() else stopped_at end where brand_id = $1`,
        [brand_id, phase],
      ),
    async round() {
      await setup.runner.runOnce();
      await setup.runner.idle();
    },
    calls: () => setup.operator.calls.count('bonus_credit'),
  };
}

test('a stop rejects waiting credits of the campaign, and no other', async () => {
  const { order, setPhase, intent, round, orderOther } = await setupGifts();
  const ids = [await order(), await order({ bonus_code: 'TEN', amount: '5', currency: 'EUR' })];
  const others = [await orderOther(), await orderOther({ activity_id: 'gift' })];
  await setPhase('stopped');
  expect(await sweepCampaignIntents(pool, systemClock())).toEqual({ rejected: 2, resumed: 0, more: false });
  for (const id of ids)
    expect(await intent(id)).toMatchObject({ state: 'rejected', reason: 'campaign_stopped', attempts: 0 });
  await round();
  for (const id of others) expect(await intent(id)).toMatchObject({ state: 'credited' });
});

test('no call begins after a stop, even if nothing swept before, and after the campaign is published again', async () => {
  const { order, setPhase, intent, round, calls } = await setupGifts();
  const id = await order();
  await setPhase('stopped');
  const late = await order();
  await round();
  expect(await intent(late)).toMatchObject({ state: 'rejected', reason: 'campaign_stopped' });
  expect(await intent(id)).toMatchObject({ state: 'rejected', reason: 'campaign_stopped' });

  await setPhase('live');
  const next = await order();
  await round();
  expect(await intent(next)).toMatchObject({ state: 'credited' });
  expect(calls()).toBe(1);
});

test('a pause holds a waiting credit until the resume', async () => {
  const { order, setPhase, intent, round, calls } = await setupGifts();
  const id = await order();
  await setPhase('paused');
  await round();
  expect(await intent(id)).toMatchObject({ state: 'pending', reason: 'campaign_paused', attempts: 0 });
  expect(calls()).toBe(0);
  await setPhase('live');
  expect(await sweepCampaignIntents(pool, systemClock())).toEqual({ rejected: 0, resumed: 1, more: false });
  await round();
  expect(await intent(id)).toMatchObject({ state: 'credited' });
  expect(calls()).toBe(1);
});

test('an offer that the player claimed is credited, even if the campaign was stopped', async () => {
  const { order, setPhase, intent, round } = await setupGifts();
  const id = await order({ offer: true });
  await pool.query(
    `update bonus_intent set state = 'pending', claimed_at = now(), due_at = now(), due_for = 'call' where intent_id = $1`,
    [id],
  );
  await setPhase('stopped');
  expect(await sweepCampaignIntents(pool, systemClock())).toMatchObject({ rejected: 0 });
  await round();
  expect(await intent(id)).toMatchObject({ state: 'credited' });
});
