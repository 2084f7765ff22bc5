import { beforeEach, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import type { BrandSettings } from '../../brands/index.ts';
import { BulkRunner } from '../../bulk/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { PlatformRules, SegmentComputer } from '../../segments/membership/index.ts';

/* The brand's rules of contact also apply to bulk actions: quiet hours in the player's time zone, caps, control group. */
const console = await setupConsole({ time_zone: 'Europe/Malta' });
const { pool, brand, brands, clock, gate, links, signals } = console;
const settings = brands.byId(brand.brand_id)?.settings as BrandSettings;
const computer = new SegmentComputer({
  pool,
  brands,
  rules: new PlatformRules({ pool }),
  clock: clock.now,
  log: testLog,
});
const runner = new BulkRunner({ pool, brands, gate, links, signals, clock: clock.now, log: testLog });
const moment = (text: string) => Date.parse(text) * 1000;
const hello = { channel: 'site', content: { event: 'inbox', title: 'Hello', message: 'All of you' } };
const night = { from: '22:00', to: '08:00' };
let made = 0;

beforeEach(() => {
  const campaign_approval = { players: 0, money: '' };
  Object.assign(settings, {
    quiet_hours: { from: '', to: '' },
    frequency_caps: [],
    holdout: { percent: 0 },
    campaign_approval,
  });
});

/** New, fully known players, as a live segment; some have their own time zone. */
async function segmentAt(at: string, ...zones: (string | null)[]): Promise<{ path: string; users: string[] }> {
  clock.set(moment(at));
  const users = zones.map(() => `p${++made}`);
  for (const [place, user] of users.entries()) {
    const player = await insertPlayer(pool, brand.brand_id, user);
    await makeKnown(pool, brand.brand_id, [player], timestamptzText(clock.now()));
    await pool.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
       values ($1, 'sitenotification', 'SiteNotification', 'SiteNotification', true, 'look_up', $2)`,
      [player, timestamptzText(clock.now())],
    );
    await pool.query('update player_profile set extra = $2 where player_id = $1', [
      player,
      JSON.stringify(zones[place] === null ? {} : { time_zone: zones[place] }),
    ]);
  }
  const code = `list-${++made}`;
  const segments = '/brands/malta/segments';
  await console.call('POST', segments, { body: { code, name: code, user_ids: users } });
  await console.call('POST', `${segments}/${code}/publish`);
  await computer.runOnce();
  return { path: `${segments}/${code}`, users };
}

async function order(path: string, body: object = hello, kind = 'messages'): Promise<string> {
  const { status, body: made } = await console.call('POST', `${path}/${kind}`, { body });
  expect(status).toBe(201);
  return `/brands/malta/bulk-actions/${made.action_id}`;
}

async function work(): Promise<void> {
  while (true) {
    const { gathered, handled } = await runner.runOnce();
    if (gathered + handled === 0) return;
  }
}
const playersOf = async (action: string) =>
  (await console.get(`${action}/players`)).body.items.map((one: { user_id: string; state: string; reason: string }) => [
    one.user_id,
    one.state,
    one.reason,
  ]);

test('an order above the limits for the approval of campaigns is refused, because no second person can approve it', async () => {
  const { path } = await segmentAt('2026-06-01T12:00:00Z', null, null, null);
  const refusalOf = async (kind: 'messages' | 'offers', body: object) => {
    const { status, body: answer } = await console.call('POST', `${path}/${kind}`, { body });
    if (status !== 201) return answer.detail;
    await console.call('POST', `/brands/malta/bulk-actions/${answer.action_id}/cancel`);
    return undefined;
  };
  const funds = { bonus_code: 'CASH', amount: '10', currency: 'eur' };
  Object.assign(settings, { campaign_approval: { players: 3, money: '30' } });
  expect(await refusalOf('messages', hello)).toBeUndefined();
  expect(await refusalOf('offers', funds)).toBeUndefined();
  Object.assign(settings, { campaign_approval: { players: 2, money: '29.99' } });
  const approve = 'a second person must approve this; publish a campaign that contacts the segment';
  expect(await refusalOf('messages', hello)).toBe(`${approve} (it may reach 3 players, above the limit of 2)`);
  Object.assign(settings, { campaign_approval: { players: 0, money: '29.99' } });
  expect(await refusalOf('messages', hello)).toBeUndefined();
  expect(await refusalOf('offers', funds)).toBe(
    `${approve} (its bonuses may cost 30.00 EUR, above the limit of 29.99)`,
  );
  expect(await refusalOf('offers', { bonus_code: 'TEN' })).toBe(
    `${approve} (the cost of the bonuses of TEN is unknown)`,
  );
});

test("in a player's quiet hours, the message waits until they end, and is sent once", async () => {
  Object.assign(settings, { quiet_hours: night });
  const { path, users } = await segmentAt('2026-06-01T21:00:00Z', null, 'America/New_York');
  const action = await order(path);
  await work();
  expect(await playersOf(action)).toEqual([
    [users[0], 'waiting', 'quiet_hours'],
    [users[1], 'sent', null],
  ]);
  const { rows } = await pool.query(
    `select d.outcome, d.reason from gate_decision d join player p using (player_id) where p.user_id = $1`,
    [users[0]],
  );
  expect(rows).toEqual([{ outcome: 'held', reason: 'quiet_hours' }]);
  clock.set(moment('2026-06-02T06:00:00Z') - 1);
  await work();
  expect((await console.get(action)).body).toMatchObject({ state: 'running', counts: { sent: 1, waiting: 1 } });
  clock.set(moment('2026-06-02T06:00:00Z'));
  await work();
  expect((await console.get(action)).body).toMatchObject({ state: 'done', counts: { sent: 2 } });
  expect((await pool.query('select from notification')).rowCount).toBe(2);
});

test('caps count messages from other sources, and service messages have their own', async () => {
  Object.assign(settings, { frequency_caps: [{ purpose: 'marketing', times: 1, within: 'P1D' }] });
  const { path, users } = await segmentAt('2026-06-03T10:00:00Z', null);
  const first = await order(path);
  await work();
  clock.advance(1_000_000);
  const second = await order(path);
  await work();
  expect(await playersOf(first)).toEqual([[users[0], 'sent', null]]);
  expect(await playersOf(second)).toEqual([[users[0], 'withheld', 'frequency_cap']]);
  const service = await order(path, { ...hello, purpose: 'service' });
  clock.advance(1_000_000);
  await work();
  expect(await playersOf(service)).toEqual([[users[0], 'sent', null]]);
});

test('two concurrent actions never both take the last place of a cap', async () => {
  Object.assign(settings, { frequency_caps: [{ times: 1, within: 'P1D' }] });
  const { path } = await segmentAt('2026-06-04T10:00:00Z', null, null, null);
  const actions = [await order(path), await order(path)];
  const other = new BulkRunner({ pool, brands, gate, links, signals, clock: clock.now, log: testLog });
  for (let round = 0; round < 20; round++) {
    await Promise.all([runner.runOnce(), other.runOnce()]);
    clock.advance(200_000);
  }
  const states = (await Promise.all(actions.map(playersOf))).flat().map(([, state, reason]) => `${state} ${reason}`);
  expect(states.toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'sent null'),
    ...Array.from({ length: 3 }, () => 'withheld frequency_cap'),
  ]);
});

test('a player whom another transaction is contacting is tried again later', async () => {
  Object.assign(settings, { frequency_caps: [{ times: 1, within: 'P1D' }] });
  const { path, users } = await segmentAt('2026-06-05T10:00:00Z', null, null);
  const action = await order(path);
  await runner.runOnce();
  await transaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock($1, hashint8(player_id)) from player where user_id = $2`, [
      0x63_61_70,
      users[0],
    ]);
    await runner.runOnce();
  });
  expect(await playersOf(action)).toEqual([
    [users[0], 'listed', null],
    [users[1], 'sent', null],
  ]);
  clock.advance(1_000_000);
  await work();
  expect((await console.get(action)).body).toMatchObject({ state: 'done', counts: { sent: 2 } });
});

test('the control group of the brand gets no messages and no offers', async () => {
  Object.assign(settings, { holdout: { percent: 100 } });
  const { path, users } = await segmentAt('2026-06-06T10:00:00Z', null);
  const message = await order(path);
  const offer = await order(path, { bonus_code: 'TEN' }, 'offers');
  await work();
  for (const action of [message, offer]) expect(await playersOf(action)).toEqual([[users[0], 'withheld', 'holdout']]);
});

test('in the United Kingdom, an offer requires its wagering, and a message about a product its consent', async () => {
  Object.assign(settings, { product_consents: [{ product: 'casino', channel: 'site', consent: 'CasinoSite' }] });
  const { path, users } = await segmentAt('2026-06-06T12:00:00Z', null);
  await pool.query(
    `update player_profile set country = 'GB' where player_id = (select player_id from player where user_id = $1)`,
    users,
  );
  const ordered = [
    await order(path, { bonus_code: 'TEN' }, 'offers'),
    await order(path, { bonus_code: 'TEN', wagering: 35 }, 'offers'),
    await order(path, { bonus_code: 'TEN', wagering: 10, products: ['casino', 'betting'] }, 'offers'),
    await order(path, { bonus_code: 'TEN', wagering: 10, products: ['casino'] }, 'offers'),
    await order(path, { ...hello, products: ['casino'] }),
  ];
  await work();
  const outcomes = [];
  for (const action of ordered) outcomes.push(...(await playersOf(action)));
  expect(outcomes).toEqual([
    [users[0], 'withheld', 'policy_wagering_unknown'],
    [users[0], 'withheld', 'policy_wagering'],
    [users[0], 'withheld', 'policy_mixed_products'],
    [users[0], 'sent', null],
    [users[0], 'withheld', 'policy_product_consent'],
  ]);
});

test('a message that the gate holds waits in its bulk action, so it is not sent at night', async () => {
  Object.assign(settings, { quiet_hours: night });
  const { path, users } = await segmentAt('2026-06-07T19:59:00Z', null);
  await pool.query(
    'delete from player_sync where player_id = (select player_id from player where user_id = $1)',
    users,
  );
  const action = await order(path);
  await work();
  expect(await playersOf(action)).toEqual([[users[0], 'waiting', 'unknown']]);
  clock.set(moment('2026-06-07T20:10:00Z'));
  await pool.query(
    'delete from player_sync where player_id = (select player_id from player where user_id = $1)',
    users,
  );
  await pool.query(
    `insert into player_sync (player_id, look_up, brand_id, done, lane, as_of)
     select player_id, look_up, brand_id, 1, 0, $2 from player, unnest(array['details', 'consents', 'blocks']) look_up where user_id = $1`,
    [users[0], timestamptzText(clock.now())],
  );
  await work();
  expect(await playersOf(action)).toEqual([[users[0], 'waiting', 'quiet_hours']]);
});
