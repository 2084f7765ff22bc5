import type { EventKind } from '@croupier/contracts';
import { beforeAll, expect, test } from 'vitest';
import { setupCampaigns } from '../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../testing/derive/stage.ts';
import { timestamptzText } from '../database/index.ts';
import { giveDemo } from './index.ts';

/*
 * Each recipe in the live stage, as the demo brand has it: what begins it, what the player gets, and that a player who is excluded gets
 * nothing.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, publish, derive, follow, runs, messages } = setup;
const { brand_id } = brand;
const minute = 60_000_000;
const day = 24 * 60 * minute;

beforeAll(async () => {
  const given = await giveDemo(pool, brand, clock.now());
  expect(given.campaigns).toHaveLength(11);
  await setup.computer.runOnce();
});

const at = () => ({ timestamp: timestamptzText(clock.now()), origin: 'www.example.com' });
const money = { currency: 'EUR', exchange_rate: 1 };
const deposit = (user_id: string, status = 'Approved') =>
  ['payment', paymentBody({ user_id, status, payment_id: `${status} of ${user_id}`, ...at() })] as const;
const round = (user_id: string, amounts: { bet: number; win: number }) =>
  [
    'gameround',
    {
      user_id,
      ...at(),
      round_id: `of ${user_id}`,
      game_id: 'g',
      game_name: 'Game',
      game_type: 'slots',
      vendor_id: 'v',
      real_bet_user: amounts.bet,
      real_win_user: amounts.win,
      bonus_bet_user: 0,
      bonus_win_user: 0,
      real_bet_base: amounts.bet,
      real_win_base: amounts.win,
      bonus_bet_base: 0,
      bonus_win_base: 0,
      user_currency: 'EUR',
      device_type: 'mobile',
    },
  ] as const;
const bet = (user_id: string, is_live: boolean) =>
  [
    'sports',
    {
      user_id,
      ...at(),
      ...money,
      activity_id: `of ${user_id}`,
      type: 'Bet',
      bet_type: 'Single',
      bets: [{ sports_name: 'Football', odds: 2, is_live }],
      amount: 5,
    },
  ] as const;
const cart = (user_id: string, status = 'Successful') =>
  [
    'cart',
    {
      user_id,
      ...at(),
      ...money,
      cart_id: `of ${user_id}`,
      type: 'Checkout',
      status,
      amount: 5,
      items: [],
      payments: [],
    },
  ] as const;

type Told = readonly [kind: EventKind, body: { user_id: string }];

async function tell(...events: readonly Told[]): Promise<void> {
  await publish(...events.map(([kind, body]) => ({ kind, body })));
  await derive();
  await follow();
}

/** What segments hand over: a player of whom it is so entered. */
async function enters(user_id: string, code: string): Promise<void> {
  await pool.query(
    `insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
     select $1, p.player_id, s.segment_id, 1, 'entered', $4, '{"type": "time"}', false
       from player p, segment s where p.user_id = $2 and s.code = $3 and s.brand_id = $1`,
    [brand_id, user_id, code, timestamptzText(clock.now())],
  );
  await follow();
}

const of = async (user_id: string) => ({
  titles: (await messages()).filter((one) => one.user_id === user_id && one.state === 'live').map(({ title }) => title),
  offers: (
    await pool.query<{ bonus_code: string }>(
      `select bonus_code from bonus_intent join player using (player_id) where user_id = $1 and offered order by 1`,
      [user_id],
    )
  ).rows.map(({ bonus_code }) => bonus_code),
});
const runOf = async (code: string, user_id: string) => (await runs(code)).find((run) => run.user_id === user_id);

test('welcome: the first deposit brings words and an offer; the second none', async () => {
  await setup.reader('ada');
  await tell(deposit('ada'));
  const got = { titles: ['Welcome, and good luck'], offers: ['WELCOME100'] };
  expect(await of('ada')).toEqual(got);
  clock.advance(minute);
  await tell(['payment', paymentBody({ user_id: 'ada', payment_id: 'second', ...at() })]);
  expect(await of('ada')).toEqual(got);
});

test('rescue of a failed deposit: help after two minutes, unless the deposit arrives meanwhile', async () => {
  for (const user of ['ben', 'bob']) await setup.reader(user);
  await tell(deposit('ben', 'Rejected'), deposit('bob', 'Rejected'));
  clock.advance(minute);
  await tell(['payment', paymentBody({ user_id: 'bob', payment_id: 'again', ...at() })]);
  clock.advance(minute);
  await follow();
  expect((await of('ben')).titles).toEqual(['Your deposit did not go through']);
  expect(await runOf('rescue_of_a_failed_deposit', 'bob')).toMatchObject({ state: 'goal_reached' });
});

test('big win: a round that wins 100 and ten times its bet; not a smaller one', async () => {
  for (const user of ['cleo', 'carl']) await setup.reader(user);
  await tell(round('cleo', { bet: 10, win: 100 }), round('carl', { bet: 11, win: 100 }));
  expect((await of('cleo')).titles).toEqual(['What a win, player!']);
  expect((await of('carl')).titles).toEqual([]);
});

test('lottery checkout: thanks after a minute, for a checkout that succeeded', async () => {
  for (const user of ['dora', 'dan']) await setup.reader(user);
  await tell(cart('dora'), cart('dan', 'Failed'));
  clock.advance(minute);
  await follow();
  expect((await of('dora')).titles).toEqual(['Your tickets are in']);
  expect(await runOf('lottery_checkout', 'dan')).toBeUndefined();
});

test('live sports: a bet during the match', async () => {
  for (const user of ['eva', 'emil']) await setup.reader(user);
  await tell(bet('eva', true), bet('emil', false));
  expect((await of('eva')).titles).toEqual(['You are live']);
  expect((await of('emil')).titles).toEqual([]);
});

test.each([
  ['decline_of_play', 'play_declines', { titles: ['What is new, player'], offers: [] }],
  ['offer_about_to_expire', 'offer_expires_soon', { titles: ['Your offer ends soon'], offers: [] }],
  ['birthday', 'birthday_today', { titles: ['Happy birthday, player'], offers: ['FREESPINS20'] }],
  ['loss_care', 'big_loss_in_an_hour', { titles: ['Time for a break?'], offers: [] }],
])('%s: begins with the segment %s', async (recipe, segment, got) => {
  await setup.reader(recipe);
  await enters(recipe, segment);
  expect(await of(recipe)).toEqual(got);
});

test('reactivation: one in ten gets nothing, the others words, and half of them an offer', async () => {
  const users = Array.from({ length: 60 }, (_, n) => `lapsed-${n}`);
  for (const user of users) await setup.reader(user);
  for (const user of users) await enters(user, 'slipping_away');
  const all = await Promise.all(users.map(of));
  const control = all.filter(({ titles }) => titles.length === 0).length;
  const offered = all.filter(({ offers }) => offers.length > 0).length;
  expect(control).toBeGreaterThan(0);
  expect(control).toBeLessThan(20);
  expect(offered).toBeGreaterThan(15);
  expect(offered).toBeLessThan(45);
  expect((await runs('reactivation')).filter(({ reason }) => reason === 'control')).toHaveLength(control);
});

test('self-exclusion safety: limits are confirmed, and after an exclusion nothing follows, of no recipe', async () => {
  const player = await setup.reader('fay');
  await tell(['blocks_update', { user_id: 'fay', ...at() }] as Told);
  expect((await of('fay')).titles).toEqual(['Your limits have changed']);
  await pool.query(
    `insert into player_block (player_id, type_key, type, spelling, active, note, source, as_of) values ($1, 'excluded', 'Excluded', 'Excluded', true, '', 'look_up', $2)`,
    [player, timestamptzText(clock.now())],
  );
  await tell(
    deposit('fay'),
    deposit('fay', 'Rejected'),
    round('fay', { bet: 1, win: 100 }),
    bet('fay', true),
    cart('fay'),
  );
  for (const segment of ['play_declines', 'birthday_today', 'big_loss_in_an_hour', 'slipping_away'])
    await enters('fay', segment);
  clock.advance(2 * day);
  await follow();
  expect((await of('fay')).titles).toEqual(['Your limits have changed']);
  expect((await of('fay')).offers).toEqual([]);
  const later = (await messages()).filter(({ user_id, state }) => user_id === 'fay' && state === 'live');
  expect(later).toHaveLength(1);
});
