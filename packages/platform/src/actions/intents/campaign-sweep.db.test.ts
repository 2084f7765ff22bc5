import type { Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { sweepCampaignIntents } from './campaign-sweep.ts';
import { claimOffer, listOffers } from './offers.ts';

/* What happens to credits that a run ordered, and for which no call has begun, when their campaign is stopped or paused. */
const { pool } = await setupDatabase();
const day = 24 * 3_600_000_000;

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
    claim: (intent_id: string, expired = false) =>
      transaction(pool, (tx) =>
        claimOffer(tx, { player_id: player, intent_id }, { gate: setup.gate, at: systemClock() + (expired ? day : 0) }),
      ),
    listed: async () => (await listOffers(pool, player, systemClock())).map(({ intent_id }) => intent_id),
    orderOther: (more = {}) => setup.order(player, more),
    order: (more = {}) => setup.order(player, { ...ordered, ...more }),
    setPhase: (phase: string, connection: Pick<Pool, 'query'> = pool) =>
      connection.query(
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

describe('an offer', () => {
  test('that the player claimed is credited once, even if the campaign is stopped then', async () => {
    const { order, setPhase, intent, round, claim, listed, calls } = await setupGifts();
    const id = await order({ offer: true });
    expect(await claim(id)).toEqual({ state: 'pending', reason: null });
    await setPhase('stopped');
    expect(await sweepCampaignIntents(pool, systemClock())).toMatchObject({ rejected: 0 });
    expect(await listed()).toEqual([id]);
    await round();
    expect(await intent(id)).toMatchObject({ state: 'credited' });
    expect(await claim(id)).toEqual({ state: 'credited', reason: null });
    expect(calls()).toBe(1);
  });

  test('that the player has not claimed ends with the stop of its campaign, and no other does', async () => {
    const { order, orderOther, setPhase, intent, claim, listed } = await setupGifts();
    const ids = [await order({ offer: true }), await order({ offer: true, expires_at: systemClock() + day })];
    const others = [await orderOther({ offer: true }), await orderOther({ offer: true, activity_id: 'gift' })];
    await setPhase('stopped');
    // A round of a worker may have begun before the stop, and commit after it.
    ids.push(await order({ offer: true }));
    expect((await listed()).toSorted()).toEqual(others.toSorted());
    expect(await sweepCampaignIntents(pool, systemClock())).toEqual({ rejected: 3, resumed: 0, more: false });
    for (const id of ids) {
      const ended = { state: 'rejected', reason: 'campaign_stopped', resolved_by: 'cancellation', due_for: null };
      expect(await intent(id)).toMatchObject(ended);
      expect(await claim(id)).toEqual({ state: 'rejected', reason: 'campaign_stopped' });
    }
    for (const id of others) expect(await claim(id)).toEqual({ state: 'pending', reason: null });
  });

  test('stays ended if the campaign is published again before the sweep; a later offer can be claimed', async () => {
    const { order, setPhase, claim, listed } = await setupGifts();
    const old = [await order({ offer: true }), await order({ offer: true })];
    await setPhase('stopped');
    await setPhase('live');
    const later = await order({ offer: true });
    expect(await listed()).toEqual([later]);
    expect(await claim(old[0] as string)).toEqual({ state: 'rejected', reason: 'campaign_stopped' });
    expect(await sweepCampaignIntents(pool, systemClock())).toMatchObject({ rejected: 1 });
    expect(await claim(later)).toEqual({ state: 'pending', reason: null });
  });

  test('ends in portions if there are many', async () => {
    const { order, setPhase } = await setupGifts();
    const id = await order({ offer: true });
    await pool.query(
      `insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, offered, created_at, created_by, activity_id, state, state_since)
       select gen_random_uuid(), brand_id, player_id, kind, bonus_code, offered, created_at, created_by, activity_id, state, state_since
         from bonus_intent, generate_series(1, 200) where intent_id = $1`,
      [id],
    );
    await setPhase('stopped');
    expect(await sweepCampaignIntents(pool, systemClock())).toEqual({ rejected: 200, resumed: 0, more: true });
    expect(await sweepCampaignIntents(pool, systemClock())).toEqual({ rejected: 1, resumed: 0, more: false });
  });

  test('is hidden and cannot be claimed while its campaign is paused, and can be claimed after the resume', async () => {
    const { order, setPhase, intent, round, claim, listed, calls } = await setupGifts();
    const [offer, expiring, claimed] = [
      await order({ offer: true }),
      await order({ offer: true, expires_at: systemClock() + day / 2 }),
      await order({ offer: true }),
    ];
    await claim(claimed);
    await setPhase('paused');
    expect(await listed()).toEqual([claimed]);
    expect(await claim(offer)).toEqual({ state: 'offered', reason: 'campaign_paused' });
    expect(await claim(expiring, true)).toEqual({ state: 'rejected', reason: 'expired' });
    expect(await sweepCampaignIntents(pool, systemClock())).toMatchObject({ rejected: 0 });
    await round();
    expect(await intent(offer)).toMatchObject({ state: 'offered', claimed_at: null });
    await setPhase('live');
    expect(await listed()).toContain(offer);
    expect(await claim(offer)).toEqual({ state: 'pending', reason: null });
    await round();
    expect(await intent(offer)).toMatchObject({ state: 'credited' });
    expect(calls()).toBe(2);
  });

  test('is claimed or ended by whichever commits first, the claim or the stop', async () => {
    const { order, setPhase, claim, brand, gate, intent } = await setupGifts();
    const [first, second] = [await order({ offer: true }), await order({ offer: true })];
    const { player_id } = await intent(first);
    const waiting = async () => {
      const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await pool.query(text)).rowCount === 0);
    };
    let stop: Promise<unknown> | undefined;
    await transaction(pool, async (tx) => {
      await claimOffer(tx, { player_id, intent_id: first }, { gate, at: systemClock() });
      stop = setPhase('stopped');
      await waiting();
    });
    await stop;
    await sweepCampaignIntents(pool, systemClock());
    expect(await intent(first)).toMatchObject({ state: 'pending' });

    await pool.query(`update campaign_active set phase = 'live', stopped_at = null where brand_id = $1`, [
      brand.brand_id,
    ]);
    const third = await order({ offer: true });
    let claimed: ReturnType<typeof claim> | undefined;
    await transaction(pool, async (tx) => {
      await setPhase('stopped', tx as unknown as Pool);
      claimed = claim(third);
      await waiting();
    });
    expect(await claimed).toEqual({ state: 'rejected', reason: 'campaign_stopped' });
    expect(await intent(second)).toMatchObject({ state: 'rejected', reason: 'campaign_stopped' });
  });
});
