import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole({ time_zone: 'Europe/Malta' });

const deposit = (user_id: string, payment_id: string, fields: Record<string, unknown> = {}) => ({
  user_id,
  payment_id,
  type: 'Credit',
  status: 'Approved',
  amount: 10,
  currency: 'EUR',
  exchange_rate: 1,
  vendor_id: 'v1',
  origin: 'www.example.com',
  timestamp: '2026-05-01T10:00:00Z',
  ...fields,
});

const bet = (user_id: string, activity_id: string, fields: Record<string, unknown> = {}) => ({
  user_id,
  activity_id,
  type: 'Bet',
  amount: 4,
  currency: 'EUR',
  exchange_rate: 1,
  bet_type: 'Single',
  bets: [{ market: 'x', selections: [{ odds: 2 }] }],
  origin: 'www.example.com',
  timestamp: '2026-05-01T10:00:00Z',
  ...fields,
});

test("the days of a brand have figures with the names of traits, and count each player once, in the brand's time zone", async () => {
  await console.publish('payment', deposit('ann', '1'));
  await console.publish('payment', deposit('ann', '2', { vendor_id: 'v2', amount: 2.5 }));
  await console.publish('payment', deposit('bob', '1', { type: 'Debit', amount: 3, fee_amount: 0.1 }));
  // 22:30 UTC is already the next day in Malta.
  await console.publish('payment', deposit('bob', '2', { timestamp: '2026-04-30T22:30:00Z', amount: 1 }));
  await console.publish('payment', deposit('bob', '3', { timestamp: '2026-04-30T21:30:00Z', amount: 1 }));
  await console.publish('login', { user_id: 'ann', timestamp: '2026-05-01T09:00:00Z' });
  await console.publish('sports', bet('ann', 's1'));
  await console.derive();
  const { body } = await console.get('/brands/malta/rollups?from=2026-04-29&to=2026-05-01');
  expect(body).toMatchObject({ currency: 'EUR', time_zone: 'Europe/Malta', next: null });
  expect(body.items.map(({ day }: { day: string }) => day)).toEqual(['2026-05-01', '2026-04-30', '2026-04-29']);
  const [today, yesterday, before] = body.items;
  expect(today.players).toMatchObject({ payment: 2, login: 1, sports: 1 });
  expect(today.figures).toMatchObject({
    deposit_count: 3,
    deposit_sum: '13.5',
    deposit_average: '4.5',
    withdrawal_sum: '3',
    fee_sum: '0.1',
    net_deposit_sum: '10.5',
    login_count: 1,
    sports_bet_count: 1,
    sports_ggr: '4',
    ggr: '4',
    ngr: '4',
    bet_sum: '4',
    rtp: '0',
  });
  expect(yesterday).toMatchObject({ players: { payment: 1 }, figures: { deposit_count: 1, deposit_sum: '1' } });
  expect(before).toMatchObject({ players: { payment: 0 }, figures: { deposit_count: 0, deposit_sum: '0', rtp: null } });
});

test('a rollback subtracts its payment from the totals, and a player without other payments is no longer counted', async () => {
  await console.publish('payment', deposit('bob', '3', { status: 'Rollback', timestamp: '2026-05-01T11:00:00Z' }));
  await console.derive();
  const { body } = await console.get('/brands/malta/rollups?from=2026-04-30&to=2026-04-30');
  expect(body.items).toMatchObject([{ players: { payment: 0 }, figures: { deposit_count: 0, deposit_sum: '0' } }]);
});

test('one product has only its own figures', async () => {
  const { body } = await console.get('/brands/malta/rollups?product=sports');
  expect(body.items.length).toBe(30);
  const [today] = body.items;
  expect(Object.keys(today.players)).toEqual(['sports']);
  expect(Object.keys(today.figures).every((name) => name.startsWith('sports_'))).toBe(true);
  expect(today.figures).toMatchObject({ sports_bet_count: 1, sports_bet_sum: '4' });
});

test('invalid, reversed or too many days are refused', async () => {
  for (const query of ['from=2026-02-30', 'from=2026-05-02&to=2026-05-01', 'from=2026-01-01&to=2026-05-01', 'days=3']) {
    expect([query, (await console.get(`/brands/malta/rollups?${query}`)).status]).toEqual([query, 400]);
  }
});

test('the catalog of traits is the one used for players', async () => {
  const { body } = await console.get('/traits');
  const names = new Set(body.items.map(({ name }: { name: string }) => name));
  const { traits } = (await console.get('/brands/malta/players/ann?windows=24h')).body;
  const shown = Object.keys(traits).filter((name) => !/_(24h|30d|90d)$/.test(name));
  expect(new Set(shown)).toEqual(names);
  expect(body.items.find(({ name }: { name: string }) => name === 'deposit_sum')).toMatchObject({
    kind: 'amount',
    unit: 'base_currency',
    windows: 'every',
    chapter: 'Payments',
  });
});
