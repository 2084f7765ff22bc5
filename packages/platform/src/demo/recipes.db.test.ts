import type { EventKind, Micros } from '@croupier/contracts';
import { beforeAll, expect, test } from 'vitest';
import { createBrand } from '../../testing/brand.ts';
import { setupCampaigns } from '../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../testing/derive/stage.ts';
import { insertCampaign, readCampaigns } from '../campaigns/index.ts';
import { readTemplate, removeTemplate, writeTemplate } from '../channels/index.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { insertRecordChanges, noteProtection } from '../operator/protection/index.ts';
import { giveDemo } from './index.ts';

/*
 * Each recipe in the live stage, as in the demo brand: what starts it, what the player gets, and that an excluded player gets
 * nothing. Everything starts from events and the clock; segments and campaigns follow as in the platform.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, publish, derive, follow, runs, messages } = setup;
const minute = 60_000_000;
const day = 24 * 60 * minute;

beforeAll(async () => {
  const given = await giveDemo(pool, brand, clock.now());
  expect(given.campaigns).toHaveLength(11);
  await setup.computer.runOnce();
});

const at = () => ({ timestamp: timestamptzText(clock.now()), origin: 'www.example.com' });
const money = { currency: 'EUR', exchange_rate: 1 };
const deposit = (user_id: string, status = 'Approved', deposit_count = 1) =>
  [
    'payment',
    paymentBody({ user_id, status, payment_id: `${status} ${deposit_count} of ${user_id}`, deposit_count, ...at() }),
  ] as const;
const round = (user_id: string, amounts: { bet: number; win: number }, n = 1) =>
  [
    'gameround',
    {
      user_id,
      ...at(),
      round_id: `${n} of ${user_id}, ${clock.now()}`,
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
      activity_id: `${is_live} of ${user_id}`,
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

type Told = readonly [kind: EventKind, body: Record<string, unknown> & { user_id: string }];

async function tell(...events: readonly Told[]): Promise<void> {
  await publish(...events.map(([kind, body]) => ({ kind, body })));
  await derive();
  await follow();
}

/** Advances the clock. Look-ups keep the facts about the players as fresh as the gate requires. */
async function pass(time: number): Promise<void> {
  clock.advance(time);
  await pool.query('update player_sync set as_of = $1', [timestamptzText(clock.now())]);
  await follow();
}

/** The time until one minute past midnight, this many days from now: 1 means the next midnight. The brand uses UTC. */
const untilDay = (days: number) => days * day - (clock.now() % day) + minute;

/** A player whom the platform already knows, so that later changes count as transitions. */
async function meet(user_id: string): Promise<number> {
  const player = await setup.reader(user_id);
  await tell(['balances', { user_id, ...at(), balances: [] }]);
  return player;
}

/** Sets the birthday as a look-up does. */
async function bornOn(player: number, anniversary: Micros): Promise<void> {
  const date = `1985${timestamptzText(anniversary).slice(4, 10)}`.replace('-02-29', '-02-28');
  await transaction(pool, async (tx) => {
    await tx.query('update player_profile set birth_date = $2 where player_id = $1', [player, date]);
    await insertRecordChanges(tx, [player], { source: 'look_up', at: clock.now() }, new Set());
  });
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

test('welcome: the first deposit sends a message and an offer; the second sends nothing', async () => {
  await setup.reader('ada');
  await tell(deposit('ada'));
  const got = { titles: ['Welcome, and good luck'], offers: ['WELCOME100'] };
  expect(await of('ada')).toEqual(got);
  clock.advance(minute);
  await tell(deposit('ada', 'Approved', 2));
  expect(await of('ada')).toEqual(got);
});

test('welcome: once for two first deposits that are processed together; not for an old player', async () => {
  for (const user of ['new', 'counted', 'old']) await setup.reader(user);
  const uncounted = (payment_id: string): Told => ['payment', paymentBody({ user_id: 'new', payment_id, ...at() })];
  await tell(
    ['registration', { user_id: 'new', ...at() }],
    ...['1', '2', '3', '4'].map(uncounted),
    ...[1, 2].map((count) => deposit('counted', 'Approved', count)),
    ...[250, 251].map((count) => deposit('old', 'Approved', count)),
  );
  const got = { titles: ['Welcome, and good luck'], offers: ['WELCOME100'] };
  for (const user of ['new', 'counted']) expect(await of(user), user).toEqual(got);
  expect(await of('old')).toEqual({ titles: [], offers: [] });
});

test('rescue of a failed deposit: help after two minutes, unless the deposit succeeds in the meantime', async () => {
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

test('lottery checkout: thanks one minute after a successful checkout', async () => {
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
  expect((await of('eva')).titles).toEqual(['Live right now']);
  expect((await of('emil')).titles).toEqual([]);
});

const losses = (user: string) => [1, 2, 3].map((n) => round(user, { bet: 60, win: 0 }, n));

/** What happens to the player until the recipe starts. */
const beginnings: [
  recipe: string,
  happens: (user: string) => Promise<void>,
  gets: { title: string; offer?: string },
][] = [
  [
    'decline_of_play',
    async (user) => {
      await tell(...Array.from({ length: 10 }, (_, n) => round(user, { bet: 1, win: 0 }, n)));
      await pass(untilDay(7));
      expect(await of(user)).toEqual({ titles: [], offers: [] });
      await tell(round(user, { bet: 1, win: 0 }));
    },
    { title: 'What is new, player' },
  ],
  [
    'offer_about_to_expire',
    async (user) => {
      await tell(deposit(user));
      await pass(6 * day - minute);
      expect(await of(user)).toEqual({ titles: ['Welcome, and good luck'], offers: ['WELCOME100'] });
      await pass(minute);
    },
    { title: 'Your offer ends soon', offer: 'WELCOME100' },
  ],
  [
    'birthday',
    async (user) => {
      expect(await of(user)).toEqual({ titles: [], offers: [] });
      await pass(untilDay(1));
    },
    { title: 'Happy birthday, player', offer: 'FREESPINS20' },
  ],
  [
    'loss_care',
    async (user) => {
      await tell(...losses(user).slice(1));
      expect(await of(user)).toEqual({ titles: [], offers: [] });
      await tell(...losses(user).slice(0, 1));
    },
    { title: 'Time for a break?' },
  ],
];

const byUser = (one: { user_id: string }, other: { user_id: string }) => one.user_id.localeCompare(other.user_id);

test.each(beginnings)(
  '%s: starts from events and time, through its segment',
  async (recipe, happens, { title, offer }) => {
    const player = await setup.reader(recipe);
    await bornOn(player, clock.now() + (recipe === 'birthday' ? day : 100 * day));
    await happens(recipe);
    const got = await of(recipe);
    expect(got.titles.at(-1)).toBe(title);
    expect(got.offers).toEqual(offer === undefined ? [] : [offer]);
    expect((await runs(recipe)).filter(({ user_id }) => user_id === recipe)).toHaveLength(1);
  },
);

test('loss care is a service: it reaches a player without marketing consents, to whom other recipes send nothing', async () => {
  const player = await meet('leo');
  await pool.query('update player_consent set opted_in = false where player_id = $1', [player]);
  await tell(...losses('leo'), bet('leo', true));
  expect((await of('leo')).titles).toEqual(['Time for a break?']);
  expect((await runOf('live_sports', 'leo'))?.records).toContainEqual(
    expect.objectContaining({ step: 'moment', state: 'withheld' }),
  );
});

test('reactivation: one in ten gets nothing, the others a message, and half of them also an offer', async () => {
  const users = Array.from({ length: 60 }, (_, n) => `lapsed-${n}`);
  for (const user of users) await setup.reader(user);
  await tell(...users.map((user) => deposit(user)));
  const ours = async () => (await runs('reactivation')).filter(({ user_id }) => user_id.startsWith('lapsed-'));
  expect(await ours()).toEqual([]);
  await pass(untilDay(7));
  const { rows } = await pool.query<{ user_id: string; titles: string[]; offers: string[] }>(
    `select user_id,
            array(select title from notification n where n.player_id = p.player_id and state = 'live' and title ~ '^(What is new|We miss you)') as titles,
            array(select bonus_code from bonus_intent b where b.player_id = p.player_id and offered and bonus_code = 'RELOAD50') as offers
       from player p where user_id like 'lapsed-%' order by player_id`,
  );
  const arms = {
    control: [[], []],
    words: [['What is new, player'], []],
    bonus: [['We miss you, player'], ['RELOAD50']],
  };
  const expected = (await ours()).map(({ user_id, records }) => {
    const arm = records.find(({ variant }) => variant !== null)?.variant as keyof typeof arms;
    const [titles, offers] = arms[arm];
    return { user_id, titles, offers };
  });
  expect(expected).toHaveLength(60);
  expect(rows.toSorted(byUser)).toEqual(expected.toSorted(byUser));
  const sizes = Object.values(arms).map(([titles]) => rows.filter((row) => row.titles[0] === titles?.[0]).length);
  expect(sizes[0]).toBeLessThan(20);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
});

test('self-exclusion safety: changed limits are confirmed; after an exclusion, no recipe sends anything', async () => {
  const limits = ['Your limits or blocks have changed'];
  const player = await meet('fay');
  await meet('gus');
  await tell(...['fay', 'gus'].map((user_id): Told => ['blocks_update', { user_id, ...at() }]));
  for (const user of ['fay', 'gus']) expect((await of(user)).titles).toEqual(limits);

  await bornOn(player, clock.now() + day);
  await transaction(pool, async (tx) => {
    await tx.query('update player_profile set is_excluded = true where player_id = $1', [player]);
    await noteProtection(tx, [player], { source: 'look_up', at: clock.now() });
  });
  await follow();
  expect(await runOf('self_exclusion_safety', 'fay')).toMatchObject({ state: 'exited', reason: 'excluded' });

  await tell(
    deposit('fay'),
    deposit('fay', 'Rejected'),
    round('fay', { bet: 1, win: 100 }),
    ...losses('fay'),
    bet('fay', true),
    cart('fay'),
    ['blocks_update', { user_id: 'fay', ...at() }],
  );
  // The birthday, the day after, and the day on which a deposit has lapsed.
  for (const days of [1, 1, 7]) await pass(untilDay(days));
  expect(await of('fay')).toEqual({ titles: limits, offers: [] });
  expect((await of('gus')).titles).toEqual([...limits, 'Our support team is here for you']);
  const { rows } = await pool.query(
    `select from campaign_run where player_id = $1 and state in ('active', 'waiting', 'held')`,
    [player],
  );
  expect(rows).toEqual([]);
});

test('what staff changed or created stays as it is', async () => {
  const { brand: other } = await createBrand(pool);
  const by = { at: clock.now(), actor: 'ann@example.com' };
  const write = (title: string) =>
    transaction(pool, (tx) =>
      writeTemplate(
        tx,
        other,
        {
          code: 'big_win',
          name: 'Ours',
          channel: 'site',
          purpose: 'service',
          content: { en: { event: 'inbox', title, message: 'Ours' } },
        },
        { expected: undefined, by: by.actor, at: by.at },
      ),
    );
  await write('Ours');
  await transaction(pool, (tx) => insertCampaign(tx, { brand_id: other.brand_id, code: 'welcome', name: 'Ours' }, by));
  const given = await giveDemo(pool, other, clock.now());
  expect(given.templates).not.toContain('big_win');
  expect(given.campaigns).not.toContain('welcome');
  expect([given.templates.length, given.campaigns.length]).toEqual([12, 10]);
  await write('Ours, changed');
  await pool.query(`update campaign set name = 'Changed' where brand_id = $1 and code = 'birthday'`, [other.brand_id]);
  await transaction(pool, (tx) => removeTemplate(tx, other.brand_id, 'birthday', by.at));
  expect(await giveDemo(pool, other, clock.now())).toEqual({ segments: [], templates: [], campaigns: [] });
  expect((await readTemplate(pool, other.brand_id, 'big_win'))?.content).toMatchObject({
    en: { title: 'Ours, changed' },
  });
  expect(await readTemplate(pool, other.brand_id, 'birthday')).toBeNull();
  const names = (await readCampaigns(pool, other.brand_id)).map(({ code, name }) => [code, name]);
  expect(Object.fromEntries(names)).toMatchObject({ welcome: 'Ours', birthday: 'Changed' });
});
