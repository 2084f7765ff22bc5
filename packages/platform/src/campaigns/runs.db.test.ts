import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../testing/derive/stage.ts';
import { timestamptzText } from '../database/index.ts';

const setup = await setupCampaigns();
const { publish, derive, follow, campaign, runs, messages, clock, pool } = setup;
const minute = 60_000_000;
await setup.siteTemplate('hello', 'Hello {{ event.payment_id }}');
await setup.siteTemplate('later', 'Later');

const deposited: Campaign['entry'] = {
  event: 'payment',
  where: {
    combinator: 'and',
    rules: [
      { field: 'status', operator: '=', value: 'Approved' },
      { field: 'type', operator: '=', value: 'Credit' },
    ],
  },
};
const welcome: Campaign = {
  code: 'welcome',
  name: 'Welcome',
  entry: deposited,
  audience: { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '=', value: 1 }] },
  steps: [
    { id: 'hello', send: { channel: 'site', template: 'hello' } },
    { id: 'pause', wait: { for: 'PT1H' } },
    { id: 'later', send: { channel: 'site', template: 'later' } },
    { id: 'gift', credit: { bonus_code: 'WELCOME10' } },
  ],
};
await campaign(welcome);

const deposit = (user_id: string, payment_id: string, at = clock.now()) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: timestamptzText(at) }),
});
const of = async (user_id: string) => (await runs('welcome')).filter((run) => run.user_id === user_id);
const messagesTo = async (user_id: string) => (await messages()).filter((one) => one.user_id === user_id);

test('an event starts a run, whose message is in the inbox after one round; a wait ends on time', async () => {
  await setup.reader('ann');
  await publish(deposit('ann', 'p1'));
  await derive();
  await setup.lane.runOnce();
  expect(await messagesTo('ann')).toEqual([{ user_id: 'ann', title: 'Hello p1', state: 'live' }]);
  expect(setup.poked).not.toEqual([]);
  expect(await of('ann')).toMatchObject([{ state: 'waiting', due_at: clock.now() + 60 * minute }]);

  clock.advance(59 * minute);
  await follow();
  expect(await messagesTo('ann')).toHaveLength(1);
  clock.advance(minute);
  await follow();
  expect((await messagesTo('ann')).map(({ title }) => title)).toEqual(['Hello p1', 'Later']);
  const [run] = await of('ann');
  expect(run).toMatchObject({ state: 'done', reason: null, due_at: null });
  expect(run?.records.map(({ step, state }) => `${step} ${state}`)).toEqual([
    'hello done',
    'pause waiting',
    'pause done',
    'later done',
    'gift done',
  ]);
  const { rows } = await pool.query('select bonus_code, activity_id, action_id, created_by from bonus_intent');
  expect(rows).toEqual([
    { bonus_code: 'WELCOME10', activity_id: 'welcome', action_id: 'gift', created_by: 'campaign welcome' },
  ]);
});

test('a cause starts one run, even if it is repeated; an event older than the trigger age starts none', async () => {
  await setup.reader('bob');
  const event = deposit('bob', 'b1');
  await publish(event, event);
  await derive();
  await publish(event, { ...event, body: { ...event.body, note: 'again' } });
  await derive();
  await follow();
  expect(await of('bob')).toHaveLength(1);
  expect(await messagesTo('bob')).toHaveLength(1);

  await setup.reader('old');
  await publish(deposit('old', 'o1', clock.now() - 31 * minute));
  await derive();
  await follow();
  expect(await of('old')).toEqual([]);
});

test('a player outside the audience does not enter', async () => {
  await publish(deposit('ann', 'p2'));
  await derive();
  await follow();
  expect(await of('ann')).toHaveLength(1);
});

test('an effect that the gate withholds is recorded with its reason, and the run continues', async () => {
  const player = await setup.reader('carl');
  await pool.query(
    "update player_consent set opted_in = false where player_id = $1 and type_key = 'sitenotification'",
    [player],
  );
  await publish(deposit('carl', 'c1'));
  await derive();
  await follow();
  expect(await messagesTo('carl')).toEqual([]);
  const [run] = await of('carl');
  expect(run).toMatchObject({ state: 'waiting' });
  expect(run?.records[0]).toMatchObject({ step: 'hello', state: 'withheld', reason: 'no_consent' });
  const { rows } = await pool.query('select outcome, reason from gate_decision where cause_id = $1', [
    `${run?.run_id}/hello`,
  ]);
  expect(rows).toEqual([{ outcome: 'withheld', reason: 'no_consent' }]);
});

test('a run is held while the gate lacks information, and then continues', async () => {
  const player = await setup.reader('dora');
  await pool.query('delete from player_sync where player_id = $1', [player]);
  await publish(deposit('dora', 'd1'));
  await derive();
  await follow();
  expect(await of('dora')).toMatchObject([{ state: 'held', reason: 'unknown' }]);
  expect(await messagesTo('dora')).toEqual([]);
  await pool.query('delete from player_sync where player_id = $1', [player]);
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, done, lane, as_of)
     select $1, look_up, $2, 1, 0, $3 from unnest(array['details', 'consents', 'blocks']) look_up`,
    [player, setup.brand.brand_id, timestamptzText(clock.now())],
  );
  clock.advance(10 * 1_000_000);
  await follow();
  expect(await messagesTo('dora')).toHaveLength(1);
});

test('a player who is excluded leaves, and nothing more is sent', async () => {
  const player = await setup.reader('eva');
  await publish(deposit('eva', 'e1'));
  await derive();
  await follow();
  expect(await of('eva')).toMatchObject([{ state: 'waiting' }]);
  await pool.query('update player_profile set is_excluded = true where player_id = $1', [player]);
  await pool.query(
    `with t as (insert into protection_transition (brand_id, player_id, kind, source, at, received_at) values ($1, $2, 'excluded', 'look_up', $3, $3)
                returning transition_id)
     insert into protection_delivery (follower, transition_id) select 'campaigns', transition_id from t`,
    [setup.brand.brand_id, player, timestamptzText(clock.now())],
  );
  await follow();
  expect(await of('eva')).toMatchObject([{ state: 'exited', reason: 'excluded' }]);
  clock.advance(60 * minute);
  await follow();
  expect(await messagesTo('eva')).toHaveLength(1);
});

test('if a campaign cannot be executed, only its own run fails', async () => {
  await campaign({
    code: 'broken',
    name: 'Broken',
    entry: deposited,
    steps: [{ id: 'gone', send: { channel: 'site', template: 'hello' } }],
  });
  await pool.query(
    `update campaign_version set document = replace(document::text, '"template":"hello"', '"template":"gone"')::json
      where campaign_id = (select campaign_id from campaign where code = 'broken')`,
  );
  await setup.reader('fay');
  await publish(deposit('fay', 'f1'));
  await derive();
  await follow();
  expect(await runs('broken')).toMatchObject([
    {
      user_id: 'fay',
      state: 'failed',
      reason: expect.stringContaining('gone'),
      records: [{ step: 'gone', state: 'failed' }],
    },
  ]);
  expect(await of('fay')).toMatchObject([{ state: 'waiting' }]);
  expect(await messagesTo('fay')).toHaveLength(1);
});

test('a worker that dies in a round changes nothing; the next worker sends the message once', async () => {
  await setup.reader('gil');
  await publish(deposit('gil', 'g1'));
  await derive();
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the connection is gone' using errcode = '08006'; end $$;
     create trigger refuse before insert on campaign_run_step for each statement execute function refuse()`,
  );
  await expect(setup.lane.runOnce()).rejects.toThrow('the connection is gone');
  expect([await of('gil'), await messagesTo('gil')]).toEqual([[], []]);
  await pool.query('drop trigger refuse on campaign_run_step');
  await setup.createLane().runOnce();
  await follow();
  expect(await messagesTo('gil')).toHaveLength(1);
});
