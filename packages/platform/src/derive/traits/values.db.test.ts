import type { EventKind } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { readTraits } from './index.ts';

/* The traits of a player who does everything once, with values calculated by hand. */

const time_zone = 'Europe/Malta';
const { pool, clock, publish, derive, playerId } = await setupStage({ brand: { time_zone } });

const at = (text: string) => Date.parse(text) * 1000;
clock.set(at('2026-05-01T12:00:00Z'));

const money = { currency: 'EUR', exchange_rate: 1, origin: 'www.example.com' };

const casino = (user_id: string, activity_id: string, fields: Record<string, unknown>) => ({
  kind: 'casino' as EventKind,
  body: {
    user_id,
    activity_id,
    round_id: activity_id,
    game_id: 'g1',
    vendor_id: 'v1',
    is_round_end: true,
    ...money,
    type: 'Bet',
    amount: 10,
    timestamp: '2026-05-01T10:00:00Z',
    ...fields,
  },
});

const sports = (user_id: string, activity_id: string, fields: Record<string, unknown>) => ({
  kind: 'sports' as EventKind,
  body: {
    user_id,
    activity_id,
    bet_type: 'Single',
    bets: [{ market: 'x', selections: [{ odds: 2 }] }],
    ...money,
    type: 'Bet',
    amount: 10,
    timestamp: '2026-05-01T10:00:00Z',
    ...fields,
  },
});

async function traitsOf(user: string) {
  const player = { player_id: await playerId(user), time_zone };
  const readings = await readTraits(pool, player, clock.now());
  return (...names: string[]) => Object.fromEntries(names.map((name) => [name, readings[name]?.value]));
}

test('the money terms: bets by type of money, GGR, GGR with bonus, NGR, RTP', async () => {
  await publish(
    casino('ann', '1', { amount: 10, wager_amount: 6, bonus_wager_amount: 3, locked_wager_amount: 1 }),
    casino('ann', '2', { amount: 4, type: 'Win', wager_amount: 3, bonus_wager_amount: 1 }),
    sports('ann', '3', { amount: 20 }),
    sports('ann', '4', {
      amount: 5,
      type: 'Settlement',
      activity_id_reference: '3',
      timestamp: '2026-05-01T11:00:00Z',
    }),
    {
      kind: 'bonus',
      body: {
        user_id: 'ann',
        user_bonus_id: 'u1',
        bonus_id: 'b',
        product: 'Casino',
        type: 'WelcomeBonus',
        amount: 7,
        status: 'Completed',
        bonus_turned_real: 2.5,
        timestamp: '2026-05-01T11:30:00Z',
        ...money,
      },
    },
  );
  await derive();
  const values = await traitsOf('ann');
  expect(values('casino_bet_sum', 'casino_real_bet_sum', 'casino_bonus_bet_sum', 'casino_locked_bet_sum')).toEqual({
    casino_bet_sum: '10',
    casino_real_bet_sum: '6',
    casino_bonus_bet_sum: '3',
    casino_locked_bet_sum: '1',
  });
  expect(values('casino_ggr', 'casino_ggr_with_bonus', 'casino_rtp')).toEqual({
    casino_ggr: '3',
    casino_ggr_with_bonus: '6',
    casino_rtp: '0.4',
  });
  expect(values('sports_ggr', 'sports_rtp', 'sports_win_biggest')).toEqual({
    sports_ggr: '15',
    sports_rtp: '0.25',
    sports_win_biggest: '5',
  });
  expect(values('bet_count', 'bet_sum', 'win_sum', 'ggr', 'bonus_cost', 'ngr', 'rtp', 'rtp_24h')).toEqual({
    bet_count: 2,
    bet_sum: '30',
    win_sum: '9',
    ggr: '18',
    bonus_cost: '2.5',
    ngr: '15.5',
    rtp: '0.3',
    rtp_24h: '0.3',
  });
  expect(values('bet_biggest', 'win_biggest', 'bet_last_at', 'days_since_bet', 'bonus_granted_sum')).toEqual({
    bet_biggest: '20',
    win_biggest: '5',
    bet_last_at: at('2026-05-01T10:00:00Z'),
    days_since_bet: 0,
    bonus_granted_sum: '7',
  });
});

test('a biggest win that is rolled back is replaced by the next one, in all traits', async () => {
  const settlement = (id: string, amount: number) =>
    sports('big', id, { amount, type: 'Settlement', activity_id_reference: 'b', timestamp: '2026-05-01T11:00:00Z' });
  await publish(
    casino('big', '1', { type: 'Win', amount: 50 }),
    casino('big', '2', { type: 'Win', amount: 30 }),
    sports('big', 'b', {}),
    settlement('s1', 80),
    settlement('s2', 40),
  );
  await derive();
  const names = ['casino_win_biggest', 'sports_win_biggest', 'win_biggest'];
  const everywhere = names.flatMap((name) => ['', '_24h', '_today', '_7d', '_30d'].map((window) => name + window));
  const biggest = async () => Object.values((await traitsOf('big'))(...everywhere));
  const each = (...values: string[]) => values.flatMap((value) => Array.from({ length: 5 }, () => value));
  expect(await biggest()).toEqual(each('50', '80', '80'));
  await publish(
    sports('big', 's1', { type: 'Settlement', amount: 80, status: 'Rollback', timestamp: '2026-05-01T11:01:00Z' }),
  );
  await derive();
  expect(await biggest()).toEqual(each('50', '40', '50'));
  await publish(casino('big', '1', { type: 'Win', amount: 50, status: 'Rollback', timestamp: '2026-05-01T10:01:00Z' }));
  await derive();
  expect(await biggest()).toEqual(each('30', '40', '40'));
});

test('favorites: most bets, then stake, then id; lifetime, 30 and 90 days', async () => {
  const bets = (game_id: string, vendor_id: string, day: string, ...amounts: number[]) =>
    amounts.map((amount, i) =>
      casino('fan', `${game_id}-${day}-${i}`, { game_id, vendor_id, amount, timestamp: `${day}T10:00:00Z` }),
    );
  await publish(
    // `old` and `older` were played on the last day before the windows of 90 and 30 days begin.
    ...bets('old', 'v9', '2026-01-31', 1, 1, 1, 1, 1),
    ...bets('older', 'v8', '2026-04-01', 1, 1, 1, 1),
    ...bets('b', 'v1', '2026-04-02', 5, 5),
    ...bets('a', 'v1', '2026-04-30', 5, 5),
    ...bets('c', 'v2', '2026-05-01', 9, 9, 9),
    ...bets('d', 'v1', '2026-05-01', 20, 10),
  );
  await derive();
  const values = await traitsOf('fan');
  expect(values('casino_favorite_game', 'casino_favorite_game_90d', 'casino_favorite_game_30d')).toEqual({
    casino_favorite_game: 'old',
    casino_favorite_game_90d: 'older',
    casino_favorite_game_30d: 'c',
  });
  expect(values('casino_favorite_vendor', 'casino_favorite_vendor_90d', 'casino_favorite_vendor_30d')).toEqual({
    casino_favorite_vendor: 'v1',
    casino_favorite_vendor_90d: 'v1',
    casino_favorite_vendor_30d: 'v1',
  });
  // After one bet in c is rolled back, all four games have two bets, and d has the largest stake. When stakes are equal, too, a comes
  // before b.
  const rollback = (id: string) => ({ status: 'Rollback', timestamp: '2026-05-01T10:30:00Z', round_id: id });
  await publish(casino('fan', 'c-2026-05-01-0', { ...rollback('c-2026-05-01-0'), game_id: 'c', vendor_id: 'v2' }));
  await derive();
  expect((await traitsOf('fan'))('casino_favorite_game_30d')).toEqual({ casino_favorite_game_30d: 'd' });
  await publish(
    casino('fan', 'd-2026-05-01-0', { ...rollback('d-2026-05-01-0'), game_id: 'd' }),
    casino('fan', 'c-2026-05-01-1', { ...rollback('c-2026-05-01-1'), game_id: 'c', vendor_id: 'v2' }),
  );
  await derive();
  expect((await traitsOf('fan'))('casino_favorite_game_30d')).toEqual({ casino_favorite_game_30d: 'a' });
});

test('the favorite lottery: over both versions, by bets, then stake, then name', async () => {
  const ticket = (lottery_id: string, ticket_id: string, day: string, amount: number) => ({
    kind: 'lottery' as const,
    body: {
      user_id: 'loyal',
      type: 'Bet',
      lottery_id,
      ticket_id,
      draw_id: '1',
      draw_date: '2026-05-09T18:00:00Z',
      lines: [{ line_id: '1' }],
      amount,
      timestamp: `${day}T10:00:00Z`,
      ...money,
    },
  });
  const purchase = (transaction_id: string, product_name: string | undefined, amount: number) => ({
    kind: 'lottery_purchase' as const,
    body: {
      user_id: 'loyal',
      transaction_id,
      status: 'Approved',
      timestamp: '2026-05-01T10:00:00Z',
      amount,
      ...money,
      tickets: [{ ticket_id: transaction_id, product_name, amount, lines_count: 1 }],
    },
  });
  await publish(
    ...['1', '2', '3'].map((id) => ticket('old', id, '2026-01-31', 1)),
    ...['1', '2'].map((id) => ticket('lotto', id, '2026-04-30', 5)),
    purchase('t1', 'Euro', 5),
    purchase('t2', 'Euro', 6),
    ...['t3', 't4', 't5', 't6'].map((id) => purchase(id, undefined, 9)),
  );
  await derive();
  const favorite = (await traitsOf('loyal'))('lottery_favorite_lottery', 'lottery_favorite_lottery_90d');
  expect(favorite).toEqual({ lottery_favorite_lottery: 'old', lottery_favorite_lottery_90d: 'Euro' });
  await publish(purchase('t7', 'lotto', 1));
  await derive();
  expect((await traitsOf('loyal'))('lottery_favorite_lottery_30d')).toEqual({
    lottery_favorite_lottery_30d: 'lotto',
  });
  expect((await traitsOf('ann'))('lottery_favorite_lottery')).toEqual({ lottery_favorite_lottery: null });
});

test('the favorite sport: by bets in force; a combo counts for the sport of most of its matches', async () => {
  const bet = (id: string, day: string, amount: number, ...names: (string | undefined)[]) =>
    sports('punter', id, {
      amount,
      timestamp: `${day}T10:00:00Z`,
      bet_type: names.length > 1 ? 'Combo' : 'Single',
      bets: names.map((sports_name) => ({ sports_name, odds: 2 })),
    });
  const favorite = async () =>
    Object.values(
      (await traitsOf('punter'))(...['', '_90d', '_30d'].map((window) => `sports_favorite_sport${window}`)),
    );
  await publish(
    ...['1', '2', '3', '4'].map((id) => bet(id, '2026-01-31', 1, 'Ski')),
    ...['5', '6', '7'].map((id) => bet(id, '2026-04-01', 1, 'Golf')),
    bet('8', '2026-04-30', 10, 'Football'),
    bet('9', '2026-05-01', 10, 'Tennis', 'Football', undefined, 'Football'),
    bet('10', '2026-05-01', 15, 'Tennis', 'Football'),
    bet('11', '2026-05-01', 4, 'Tennis'),
    ...['12', '13', '14', '15', '16'].map((id) => bet(id, '2026-05-01', 99, undefined)),
  );
  await derive();
  // There are two bets each on football and tennis in 30 days, with more money on football.
  expect(await favorite()).toEqual(['Ski', 'Golf', 'Football']);
  const rollback = bet('9', '2026-05-01', 10, 'Tennis', 'Football', undefined, 'Football');
  await publish({ ...rollback, body: { ...rollback.body, status: 'Rollback' } });
  await derive();
  expect(await favorite()).toEqual(['Ski', 'Golf', 'Tennis']);
});

test('payments by vendor: counts, sums, the favorite and the latest vendor', async () => {
  const deposit = (payment_id: string, vendor_id: string, amount: number, timestamp: string) => ({
    kind: 'payment' as const,
    body: paymentBody({ user_id: 'payer', payment_id, vendor_id, amount, timestamp }),
  });
  await publish(
    deposit('1', 'card', 10, '2026-04-28T10:00:00Z'),
    deposit('2', 'card', 10, '2026-04-29T10:00:00Z'),
    deposit('3', 'bank', 500.5, '2026-04-30T10:00:00Z'),
  );
  await derive();
  expect(
    (await traitsOf('payer'))('deposit_count_by_vendor', 'deposit_sum_by_vendor', 'withdrawal_sum_by_vendor'),
  ).toEqual({
    deposit_count_by_vendor: { card: 2, bank: 1 },
    deposit_sum_by_vendor: { bank: '500.5', card: '20' },
    withdrawal_sum_by_vendor: {},
  });
  expect((await traitsOf('payer'))('deposit_favorite_vendor', 'deposit_last_vendor', 'withdrawal_last_vendor')).toEqual(
    {
      deposit_favorite_vendor: 'card',
      deposit_last_vendor: 'bank',
      withdrawal_last_vendor: null,
    },
  );
  expect((await traitsOf('payer'))('deposit_count', 'net_deposit_sum', 'days_since_deposit')).toEqual({
    deposit_count: 3,
    net_deposit_sum: '520.5',
    days_since_deposit: 1,
  });
});

test('sessions: count, length and average; age of the account', async () => {
  await publish(
    { kind: 'registration', body: { user_id: 'new', timestamp: '2026-04-21T10:00:00Z' } },
    ...['10:00:00', '10:10:00', '10:40:00', '11:10:00.000001'].map((time, i) =>
      casino('new', `${i}`, { timestamp: `2026-05-01T${time}Z` }),
    ),
  );
  await derive();
  const values = await traitsOf('new');
  expect(values('play_session_count', 'play_session_length', 'play_session_length_average')).toEqual({
    play_session_count: 2,
    play_session_length: 2400,
    play_session_length_average: 1200,
  });
  expect(values('game_session_longest_today', 'game_session_count_24h', 'account_age')).toEqual({
    game_session_longest_today: 2400,
    game_session_count_24h: 2,
    account_age: 10,
  });
});

test('without events, counts and sums are zero and all other traits are null', async () => {
  await publish({ kind: 'user_update', body: { user_id: 'silent', timestamp: '2026-05-01T10:00:00Z' } });
  await derive();
  const values = await traitsOf('silent');
  expect(values('bet_count', 'ngr', 'rtp', 'win_biggest', 'bet_last_at', 'days_since_bet', 'account_age')).toEqual({
    bet_count: 0,
    ngr: '0',
    rtp: null,
    win_biggest: null,
    bet_last_at: null,
    days_since_bet: null,
    account_age: null,
  });
  expect(values('casino_favorite_game', 'play_session_count', 'play_session_length_average')).toEqual({
    casino_favorite_game: null,
    play_session_count: 0,
    play_session_length_average: null,
  });
});

test('balances are the latest reported ones, as of their time', async () => {
  const told = (timestamp: string, amount: number) => ({
    kind: 'balances' as const,
    body: {
      user_id: 'rich',
      origin: 'www.example.com',
      timestamp,
      balances: [{ key: 'real_money', amount, currency: 'SEK', exchange_rate: 0.5 }],
    },
  });
  await publish(told('2026-05-01T11:00:00Z', 300), told('2026-05-01T10:00:00Z', 100));
  await derive();
  const values = await traitsOf('rich');
  expect(values('balance_real_money', 'balance_bonus_money')).toEqual({
    balance_real_money: '150',
    balance_bonus_money: null,
  });
});

test('days since registration, for a player who has not deposited', async () => {
  const registration = (user_id: string) => {
    return { kind: 'registration' as EventKind, body: { user_id, timestamp: '2026-04-28T21:00:00Z' } };
  };
  const body = paymentBody({ user_id: 'reg-2', payment_id: '1', timestamp: '2026-05-01T10:00:00Z' });
  await publish(
    registration('reg-1'),
    registration('reg-2'),
    { kind: 'payment', body },
    registration('reg-3'),
    { kind: 'payment', body: { ...body, user_id: 'reg-3', status: 'Rollback' } },
    { kind: 'payment', body: { ...body, user_id: 'reg-3' } },
  );
  await derive();
  const days = async (user: string) => {
    return (await traitsOf(user))('days_registered_without_deposit').days_registered_without_deposit;
  };
  expect([await days('reg-1'), await days('reg-2'), await days('reg-3')]).toEqual([3, null, 3]);
  expect((await traitsOf('reg-1'))('registration_count', 'registration_count_7d')).toEqual({
    registration_count: 1,
    registration_count_7d: 1,
  });
});

test('the biggest casino win, and what sessions lost', async () => {
  const round = (id: string, bet: number, win: number, minute: number, game_id: string) => {
    const timestamp = (second: string) => `2026-04-30T1${minute < 30 ? 0 : 5}:${minute}:${second}Z`;
    return [
      casino('lucky', `${id}b`, { round_id: id, game_id, amount: bet, timestamp: timestamp('00') }),
      casino('lucky', `${id}w`, { round_id: id, game_id, amount: win, type: 'Win', timestamp: timestamp('05') }),
    ];
  };
  await publish(...round('1', 4, 50, 10, 'g1'), ...round('2', 100, 50, 20, 'g2'), ...round('3', 30, 20, 40, 'g2'));
  await derive();
  const names = [
    'casino_win_biggest',
    'casino_win_biggest_at',
    'casino_win_biggest_game',
    'casino_win_biggest_vendor',
    'casino_win_biggest_multiplier',
    'days_since_casino_win_biggest',
    'play_session_last_loss',
    'play_session_loss_biggest',
  ];
  const values = async () => Object.values((await traitsOf('lucky'))(...names));
  expect(await values()).toEqual(['50', at('2026-04-30T10:10:05Z'), 'g1', 'v1', '12.5', 1, '10', '10']);
  // This win is rolled back, so the next win of that size is used.
  const [, win] = round('1', 4, 50, 10, 'g1');
  await publish({ kind: 'casino' as EventKind, body: { ...win?.body, user_id: 'lucky', status: 'Rollback' } });
  await derive();
  expect(await values()).toEqual(['50', at('2026-04-30T10:20:05Z'), 'g2', 'v1', '0.5', 1, '10', '54']);
});

test('the latest cart that was bought', async () => {
  const cart = (cart_id: number, timestamp: string, fields: object) => ({
    kind: 'cart' as EventKind,
    body: {
      user_id: 'shop',
      cart_id,
      timestamp,
      ...money,
      amount: 20,
      exchange_rate: 0.5,
      currency: 'SEK',
      type: 'Checkout',
      status: 'Successful',
      items: [],
      payments: [],
      ...fields,
    },
  });
  const items = [{ name: 'Lucky Cat' }, { type: 'Lottery' }, { name: 'Lucky Cat' }, { amount: 1 }];
  await publish(
    cart(1, '2026-05-01T09:00:00Z', { amount: 5 }),
    cart(2, '2026-05-01T10:00:00Z', { items }),
    cart(3, '2026-05-01T11:00:00Z', { status: 'Pending' }),
  );
  await derive();
  expect((await traitsOf('shop'))('cart_last_amount', 'cart_last_item_count', 'cart_last_items')).toEqual({
    cart_last_amount: '10',
    cart_last_item_count: 4,
    cart_last_items: { 'Lucky Cat': 2, Lottery: 1 },
  });
});

test('the league and the team that a player bets on most often', async () => {
  const bet = (id: string, matches: readonly (readonly [string, string])[], fields: object = {}) =>
    sports('fan', id, {
      bets: matches.map(([event_name, tournament_name]) => ({ event_name, tournament_name, odds: 2 })),
      ...fields,
    });
  await publish(
    bet('f1', [['Northport - Southport', 'Harbour League']]),
    bet('f2', [['Westport vs Northport', 'Harbour League']]),
    bet('f3', [['Westport @ Eastport', 'Cup']], { amount: 500 }),
    bet('f4', [['Westport - Eastport', 'Cup']]),
    bet('f4', [['Westport - Eastport', 'Cup']], { status: 'Rollback' }),
  );
  await derive();
  const favorites = async () => (await traitsOf('fan'))('sports_favorite_league', 'sports_favorite_team_30d');
  // Westport and Northport have two bets each, so the larger stakes decide.
  expect(await favorites()).toEqual({
    sports_favorite_league: 'Harbour League',
    sports_favorite_team_30d: 'Westport',
  });
  await publish(bet('f5', [['Northport - Eastport', 'Harbour League']]));
  await derive();
  expect(await favorites()).toEqual({
    sports_favorite_league: 'Harbour League',
    sports_favorite_team_30d: 'Northport',
  });
});
