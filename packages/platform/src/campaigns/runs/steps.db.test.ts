import type { Campaign, Channel } from '@croupier/campaigns';
import { describe, expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { writeTemplate } from '../../channels/index.ts';
import type { WrittenFields } from '../../channels/templates/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { enterPlayer, readCampaigns } from '../index.ts';

/*
 * Every kind of step in the live stage: its effect is made once, even if its cause is repeated, and the history of the run shows the
 * outcome.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, runs, publish, derive, follow } = setup;
const minute = 60_000_000;
const contents: Partial<Record<Channel, WrittenFields>> = {
  site: { title: 'Hello', message: 'Hello' },
  email: { subject: 'Hello', html: '<p>Hello</p>' },
  sms: { text: 'Hello' },
  webhook: { url: 'https://crm.example/hook', body: { says: 'Hello' } },
  operator: { text: 'Hello' },
  telephone: { list: 'vip', note: 'Say hello' },
  post_mail: { note: 'Hello' },
};
for (const [channel, content] of Object.entries(contents))
  await transaction(pool, (tx) =>
    writeTemplate(
      tx,
      brand,
      { code: channel, name: channel, channel: channel as 'site', purpose: 'marketing', content: { en: content } },
      { expected: undefined, by: 'a test', at: clock.now() },
    ),
  );

/** A player who permits every channel. */
async function reader(userId: string): Promise<number> {
  const playerId = await setup.reader(userId);
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select $1, lower(type), type, type, true, 'look_up', $2
       from unnest(array['Telephone', 'PostMail', 'PushNotification']) type`,
    [playerId, timestamptzText(clock.now())],
  );
  await pool.query("update player_profile set mobile_prefix = '+356', mobile = '99123456' where player_id = $1", [
    playerId,
  ]);
  return playerId;
}

/** Enters the player through a call that is made twice, with a round after each. */
async function enter(code: string, player_id: number): Promise<void> {
  for (let times = 0; times < 2; times++) {
    await transaction(pool, async (tx) => {
      const [campaign] = await readCampaigns(tx, brand.brand_id, { code });
      if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
      await enterPlayer(tx, campaign, { player_id, key: 'once', data: {}, at: clock.now() });
    });
    await follow();
  }
}

/** A campaign of some steps, with a player in it. */
async function begin(code: string, steps: Campaign['steps'], more: Partial<Campaign> = {}): Promise<number> {
  await setup.campaign({ code, name: code, entry: { api: true }, reentry: { times: 'unlimited' }, steps, ...more });
  const playerId = await reader(code);
  await enter(code, playerId);
  return playerId;
}

/** State and reason of the only run, and its history. */
async function outcomeOf(code: string): Promise<unknown[]> {
  const all = await runs(code);
  expect(all).toHaveLength(1);
  const [run] = all;
  return [run?.state, run?.reason, run?.records.map(({ step, state }) => `${step} ${state}`)];
}

const pay = (user_id: string, payment_id: string) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: timestamptzText(clock.now()) }),
});
const happened = async (...events: ReturnType<typeof pay>[]) => {
  await publish(...events);
  await derive();
  await follow();
};
const counted = async (sql: string, values: unknown[]) => (await pool.query<{ n: number }>(sql, values)).rows[0]?.n;
const deposits = (count: number) => ({
  combinator: 'and' as const,
  rules: [{ field: 'trait.deposit_count', operator: '>=' as const, value: count }],
});

describe('a message', () => {
  const tables: Partial<Record<Channel, string>> = {
    site: 'notification',
    push: 'notification',
    email: 'email_message',
    sms: 'called_message',
    webhook: 'called_message',
    operator: 'called_message',
    telephone: 'list_entry',
    post_mail: 'list_entry',
  };
  test.each(Object.entries(tables) as [Channel, string][])('on %s is ordered once', async (channel, table) => {
    const template = channel === 'push' ? 'site' : channel;
    const player = await begin(`send_${channel}`, [{ id: 'send', send: { channel, template } }]);
    expect(await outcomeOf(`send_${channel}`)).toEqual(['done', null, ['send done']]);
    expect(await counted(`select count(*)::int n from ${table} where player_id = $1`, [player])).toBe(1);
  });

  test.each([
    ['webhook', { id: 'call', webhook: { template: 'webhook' } }, 'called_message'],
    ['call_list', { id: 'call', call_list: { template: 'telephone' } }, 'list_entry'],
  ] as const)('the step %s orders one message', async (code, step, table) => {
    const player = await begin(code, [step]);
    expect(await outcomeOf(code)).toEqual(['done', null, ['call done']]);
    expect(await counted(`select count(*)::int n from ${table} where player_id = $1`, [player])).toBe(1);
  });
});

test.each([
  ['credit', { credit: { bonus_code: 'TEN' } }, { offered: false, amount: null, expires_at: null }],
  [
    'credit_funds',
    { credit_funds: { bonus_code: 'TEN', amount: '5', currency: 'EUR' } },
    { offered: false, amount: '5' },
  ],
  ['offer', { offer: { bonus_code: 'TEN', expires_in: 'P1D' } }, { offered: true, amount: null }],
] as const)('the step %s creates one intent', async (code, step, intent) => {
  const player = await begin(code, [{ id: 'gift', ...step }]);
  expect(await outcomeOf(code)).toEqual(['done', null, ['gift done']]);
  const { rows } = await pool.query('select * from bonus_intent where player_id = $1', [player]);
  expect(rows).toMatchObject([{ ...intent, bonus_code: 'TEN', activity_id: code, action_id: 'gift' }]);
  if (code === 'offer') expect(rows[0].expires_at).toBe(clock.now() + 24 * 60 * minute);
});

describe('a message after an offer', () => {
  const says = `{{ offer.kind }} {{ offer.bonus_code }} {{ offer.amount }} {{ offer.currency }} x{{ offer.wagering }} {{ offer.expires_at | date: '%Y-%m-%d' }} {{ offer.step }}`;
  const hello = (id: string): Campaign['steps'][number] => ({ id, send: { channel: 'site', template: 'gift' } });
  const titles = async (player: number) => {
    const { rows } = await pool.query<{ title: string }>(
      'select title from notification where player_id = $1 order by message_id',
      [player],
    );
    return rows.map(({ title }) => title.replace(/\s+/g, ' ').trim());
  };
  test('has the values of the last offer before it, and no values before the first offer', async () => {
    await setup.siteTemplate('gift', `Gift: ${says}`);
    const player = await begin('offers', [
      hello('before'),
      { id: 'cash', credit_funds: { bonus_code: 'CASH', amount: '5', currency: 'EUR', wagering: 2 } },
      hello('cash_said'),
      { id: 'gift', offer: { bonus_code: 'GIFT', expires_in: 'P1D', wagering: 10 } },
      { id: 'rest', wait: { for: 'PT1H' } },
      hello('gift_said'),
    ]);
    clock.advance(60 * minute);
    await follow();
    const tomorrow = new Date(clock.now() / 1000 + 23 * 3_600_000).toISOString().slice(0, 10);
    expect(await titles(player)).toEqual([
      'Gift: x',
      'Gift: credit_funds CASH 5 EUR x2 cash',
      `Gift: offer GIFT x10 ${tomorrow} gift`,
    ]);
  });

  test('each player of one round has their own offer, and a branch that was not taken gives no offer', async () => {
    await setup.siteTemplate('own', 'Own {{ offer.bonus_code }} {{ offer.intent_id }}');
    const arm = { when: deposits(1_000), steps: [{ id: 'not_taken', offer: { bonus_code: 'NOT_TAKEN' } }] };
    await setup.campaign({
      code: 'own',
      name: 'own',
      entry: { event: 'payment' },
      steps: [
        { id: 'taken', offer: { bonus_code: 'TAKEN' } },
        { id: 'fork', branch: [arm, { otherwise: [] }] },
        { id: 'say', send: { channel: 'site', template: 'own' } },
      ],
    });
    const players = [await reader('own1'), await reader('own2')];
    await happened(pay('own1', 'own1'), pay('own2', 'own2'));
    for (const player of players) {
      const { rows } = await pool.query('select intent_id from bonus_intent where player_id = $1', [player]);
      expect(rows).toHaveLength(1);
      expect(await titles(player)).toEqual([`Own TAKEN ${rows[0].intent_id}`]);
    }
  });
});

test('tags are added and removed, each once', async () => {
  const player = await begin('tags', [
    { id: 'set', tag: 'vip' },
    { id: 'set_too', tag: 'warm' },
    { id: 'clear', untag: 'vip' },
  ]);
  expect(await outcomeOf('tags')).toEqual(['done', null, ['set done', 'set_too done', 'clear done']]);
  const { rows } = await pool.query('select tag from player_tag where player_id = $1', [player]);
  expect(rows).toEqual([{ tag: 'warm' }]);
});

test('a branch takes the first arm whose rule is true, and continues after the branch', async () => {
  await begin('branch', [
    {
      id: 'fork',
      branch: [{ when: deposits(1), steps: [{ id: 'rich', tag: 'rich' }] }, { otherwise: [{ id: 'new', tag: 'new' }] }],
    },
    { id: 'below', tag: 'below' },
  ]);
  expect(await outcomeOf('branch')).toEqual(['done', null, ['fork done', 'new done', 'below done']]);
});

test('a split puts the player into one arm; the control arm ends the run without sending anything', async () => {
  await begin('split', [
    { id: 'test', split: [{ name: 'a', share: 100, steps: [{ id: 'inner', tag: 'a' }] }] },
    { id: 'below', tag: 'b' },
  ]);
  expect(await outcomeOf('split')).toEqual(['done', null, ['test done', 'inner done', 'below done']]);
  expect((await runs('split'))[0]?.records[0]?.variant).toBe('a');
  await begin('control', [
    { id: 'test', split: [{ name: 'none', share: 100, control: true }] },
    { id: 'below', tag: 'b' },
  ]);
  expect(await outcomeOf('control')).toEqual(['done', 'control', ['test control']]);
});

describe('a wait', () => {
  const after = { id: 'after', tag: 'after' };
  test('for a time ends at that time, not before', async () => {
    await begin('wait_time', [{ id: 'rest', wait: { for: 'PT1H' } }, after]);
    clock.advance(60 * minute - 1);
    await follow();
    expect(await outcomeOf('wait_time')).toEqual(['waiting', null, ['rest waiting']]);
    clock.advance(1);
    await follow();
    expect(await outcomeOf('wait_time')).toEqual(['done', null, ['rest waiting', 'rest done', 'after done']]);
  });

  test.each([
    ['event', { event: 'payment', timeout: 'P1D' }],
    ['rule', { rule: deposits(1), timeout: 'P1D' }],
  ] as const)('of the kind %s ends when its condition is met, or at its timeout', async (name, wait) => {
    const code = `wait_${name}`;
    await begin(code, [{ id: 'rest', wait }, after]);
    await enter(code, await reader(`${code}_late`));
    await happened(pay(code, `${code} 1`), pay(code, `${code} 1`));
    const states = async () => (await runs(code)).map(({ user_id, state }) => [user_id, state]);
    expect(await states()).toEqual([
      [code, 'done'],
      [`${code}_late`, 'waiting'],
    ]);
    clock.advance(24 * 60 * minute);
    await follow();
    expect(await states()).toEqual([
      [code, 'done'],
      [`${code}_late`, 'done'],
    ]);
  });
});

test('a goal ends the run at any step; the step exit ends it with its reason', async () => {
  await begin(
    'goal',
    [
      { id: 'rest', wait: { for: 'P1D' } },
      { id: 'after', tag: 'x' },
    ],
    { goal: { event: 'payment' } },
  );
  await happened(pay('goal', 'goal 1'));
  expect(await outcomeOf('goal')).toEqual(['goal_reached', null, ['rest waiting']]);
  await begin('exit', [
    { id: 'leave', exit: { reason: 'enough' } },
    { id: 'after', tag: 'x' },
  ]);
  expect(await outcomeOf('exit')).toEqual(['exited', 'enough', ['leave done']]);
});

test('exit_when is checked before each step', async () => {
  await begin(
    'exit_when',
    [
      { id: 'rest', wait: { for: 'PT1H' } },
      { id: 'after', tag: 'x' },
    ],
    { exit_when: deposits(1) },
  );
  await happened(pay('exit_when', 'exit_when 1'));
  clock.advance(60 * minute);
  await follow();
  expect(await outcomeOf('exit_when')).toEqual(['exited', 'exit_when', ['rest waiting', 'rest done']]);
});

test('an event after the one that started the run moves it, even if one round processes both', async () => {
  await setup.campaign({
    code: 'both',
    name: 'both',
    entry: { event: 'payment' },
    steps: [
      { id: 'rest', wait: { event: 'payment', timeout: 'P1D' } },
      { id: 'after', tag: 'x' },
    ],
  });
  await reader('both');
  await happened(pay('both', 'both 1'), pay('both', 'both 2'));
  expect(await outcomeOf('both')).toEqual(['done', null, ['rest waiting', 'rest done', 'after done']]);
});

test.each(['entered', 'left'] as const)('a player who has %s a segment enters once', async (on) => {
  const code = `segment_${on}`;
  const once = {
    combinator: 'and' as const,
    rules: [{ field: 'trait.deposit_count', operator: '=' as const, value: 1 }],
  };
  await setup.segment(code, once);
  await reader(code);
  if (on === 'left') await happened(pay(code, `${code} 0`));
  await setup.campaign({ code, name: code, entry: { segment: code, on }, steps: [{ id: 'mark', tag: 'x' }] });
  expect(await runs(code)).toEqual([]);
  await happened(pay(code, `${code} 1`), pay(code, `${code} 1`));
  expect(await outcomeOf(code)).toEqual(['done', null, ['mark done']]);
});
